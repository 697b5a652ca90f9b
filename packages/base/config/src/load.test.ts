import fs from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCapture, definePlugin, defineStore, defineTarget } from '@vid/kernel'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type AskedSettings, definePreset, loadConfig } from './index.ts'

const engine = defineCapture({
  name: 'fixture-engine',
  build: async () => '1',
  open: () => Promise.reject(new Error('not opened here')),
})
const target = defineTarget({ name: 'fixture-target', run: () => Promise.reject(new Error('not run here')) })
const standard = definePreset({
  name: 'standard',
  capture: engine(),
  targets: { local: target() },
  target: 'local',
  render: { quality: 'draft' },
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-config-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(
    fileURLToPath(new URL('../../../../node_modules/@vid', import.meta.url)),
    join(folder, 'node_modules/@vid'),
  )
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const load = (options: { env?: NodeJS.ProcessEnv; asked?: AskedSettings } = {}) =>
  loadConfig({
    from: [folder],
    presets: [standard],
    plugins: () => [],
    env: options.env ?? {},
    asked: options.asked ?? {},
    sourceOf: (name) => `flag --${name}`,
  })
const write = (name: string, text: string) => writeFile(join(folder, name), text)

test('without a config file only the builtin preset applies', async () => {
  const loaded = await load()
  expect(loaded.file).toBeUndefined()
  expect(loaded).toMatchObject({ preset: 'standard', target: 'local', render: { quality: 'draft' } })
  expect(loaded.setup.capture.name).toBe('fixture-engine')
})

const typescript = `
import { defineConfig, definePreset } from '@vid/config'
import { defineEncoder, defineTarget } from '@vid/kernel'
const farm = defineTarget({ name: 'farm', run: async () => ({ path: '' }) })
const txt = defineEncoder({ name: 'txt', formats: ['txt'], accepts: ['png'], encode: async () => ({ file: '' }) })
const fps: 24 | 60 = 60
export default defineConfig({
  presets: [definePreset({ name: 'big', render: { fps, quality: 'high' } })],
  encoders: [txt()],
  targets: { farm: farm() },
  target: 'farm',
  render: { quality: 'draft' },
})
`

test.each(['vid.config.ts', 'vid.config.mts'])('%s is loaded with its types and its imports', async (name) => {
  await write(name, typescript)
  const loaded = await load()
  expect(loaded.file).toBe(join(folder, name))
  expect(loaded).toMatchObject({ target: 'farm', targets: ['local', 'farm'], presets: ['big', 'standard'] })
  expect(loaded.setup.encoders.map((encoder) => encoder.name)).toEqual(['txt'])
  expect(loaded.provenance.target).toEqual({ value: 'farm', source: 'config' })
})

const cacheIn = (path: string) => {
  vi.stubEnv('VID_CACHE_DIR', path)
  onTestFinished(() => void vi.unstubAllEnvs())
  return join(path, 'transpiled-code')
}

test('what a TypeScript file is transpiled to is run again, until the file is edited', async () => {
  const transpiled = cacheIn(join(folder, 'cache'))
  const fpsOf = async (text: string) => {
    await write('vid.config.ts', text)
    return (await load()).render.fps
  }
  const config = 'const fps: number = 60\nexport default { render: { fps } }'
  expect(await fpsOf(config)).toBe(60)
  const [name = ''] = await readdir(transpiled)
  const code = await readFile(join(transpiled, name), 'utf8')
  expect(await fpsOf(config.replace('60', '30'))).toBe(30)
  // Code that no transpiler would make of that text shows what is run.
  await writeFile(join(transpiled, name), code.replace('60', '24'))
  expect(await fpsOf(config)).toBe(24)
  expect(await fpsOf(config.replace('60', '25'))).toBe(25)
})

test('a TypeScript file is loaded without a folder for what it is transpiled to', async () => {
  await write('file', '')
  cacheIn(join(folder, 'file'))
  await write('vid.config.ts', typescript)
  expect((await load()).target).toBe('farm')
})

test('a full disk is not taken for a mistake in the config', async () => {
  cacheIn(join(folder, 'cache'))
  await write('vid.config.ts', typescript)
  const full = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  })
  onTestFinished(() => full.mockRestore())
  expect((await load()).target).toBe('farm')
  expect(full).toHaveBeenCalled()
})

test.each(['vid.config.mjs', 'vid.config.js'])('%s is loaded', async (name) => {
  await write('package.json', '{"type":"module"}')
  await write(name, 'export default { render: { fps: 24 } }')
  expect((await load()).render).toEqual({ quality: 'draft', fps: 24 })
})

test.each(['vid.config.ts', 'vid.config.mts', 'vid.config.mjs'])(
  'an edited %s is loaded again, an unchanged one is not',
  async (name) => {
    const config = (fps: number) =>
      `export default { render: { fps: ${fps} }, plugins: [{ role: 'plugin', name: 'x', options: {}, setup() {} }] }`
    const loaded = async (fps: number) => {
      await write(name, config(fps))
      const { render, setup } = await load()
      return { fps: render.fps, plugin: setup.plugins?.at(-1) }
    }
    const first = await loaded(25)
    expect((await loaded(25)).plugin).toBe(first.plugin)
    const second = await loaded(50)
    expect(second.fps).toBe(50)
    expect((await loaded(50)).plugin).toBe(second.plugin)
    expect((await loaded(25)).fps).toBe(25)
  },
)

test('the JSON form names presets, targets and render settings', async () => {
  await write('vid.config.json', '{ "render": { "fps": 60 }, "target": "local" }')
  const loaded = await load()
  expect(loaded.render.fps).toBe(60)
  expect(loaded.provenance['render.fps']).toEqual({ value: 60, source: 'config' })
})

test('preset < config < environment < flags, and each value has its source', async () => {
  await write('vid.config.ts', typescript)
  const loaded = await load({ env: { VID_TARGET: 'local' }, asked: { fps: 24, target: 'farm' } })
  expect(loaded.provenance).toMatchObject({
    preset: { value: 'standard', source: 'default' },
    target: { value: 'farm', source: 'flag --target' },
    'render.quality': { value: 'draft', source: 'config' },
    'render.fps': { value: 24, source: 'flag --fps' },
  })
  expect((await load({ env: { VID_TARGET: 'local' } })).provenance.target).toEqual({
    value: 'local',
    source: 'environment VID_TARGET',
  })
})

test('a preset is completed from the standard one, and each value has its source', async () => {
  await write(
    'vid.config.mjs',
    `import { defineDelivery, defineEncoder } from '@vid/kernel'
    const encoder = (name, formats) =>
      defineEncoder({ name, formats, accepts: ['png'], encode: async () => ({ file: '' }) })()
    export default {
      presets: [{ name: 'loud', encoders: [encoder('one', ['a']), encoder('two', ['b'])], render: { fps: 60 } }],
      encoders: [encoder('two', ['c'])],
      deliveries: [defineDelivery({ name: 'own', deliver: async () => {} })()],
      preset: 'loud',
    }`,
  )
  const { setup, render, provenance, target } = await load()
  expect([setup.capture.name, target]).toEqual(['fixture-engine', 'local'])
  expect(render).toEqual({ quality: 'draft', fps: 60 })
  expect(setup.encoders.map(({ name, formats }) => [name, ...formats])).toEqual([
    ['two', 'c'],
    ['one', 'a'],
  ])
  expect(provenance).toMatchObject({
    'presets.loud': { value: { plugins: ['one', 'two'], render: { fps: 60 } }, source: 'config' },
    'presets.standard': {
      value: { plugins: ['fixture-engine', 'fixture-target'], render: { quality: 'draft' } },
      source: 'default',
    },
    capture: { value: 'fixture-engine', source: 'preset standard' },
    'encoders.one': { source: 'preset loud' },
    'encoders.two': { source: 'config' },
    deliveries: { value: ['own'], source: 'config' },
    'render.quality': { source: 'preset standard' },
    'render.fps': { source: 'preset loud' },
  })
})

test.each(['null', 'undefined', '"no"'])('a config that throws %s is named as broken', async (thrown) => {
  await write('vid.config.mjs', `throw ${thrown}`)
  await expect(load()).rejects.toMatchObject({
    code: 'VID_CONFIG_BROKEN',
    message: expect.stringContaining('vid.config.mjs'),
  })
})

test('values that nest too deeply are refused, not run out of stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const text of [`{"a":${deep}}`, `{"render":{"variables":{"a":${deep}}}}`]) {
    await write('vid.config.json', text)
    await expect(load()).rejects.toMatchObject({
      code: 'VID_CONFIG_INVALID',
      message: expect.stringContaining('nest deeper than 500 levels'),
    })
  }
})

test('an unknown target or preset lists the known ones', async () => {
  await expect(load({ asked: { target: 'moon' } })).rejects.toMatchObject({
    code: 'VID_TARGET_UNKNOWN',
    message: 'There is no target "moon" (from flag --target); known: local.',
    fault: 'caller',
  })
  await expect(load({ asked: { target: 'constructor' } })).rejects.toMatchObject({
    code: 'VID_TARGET_UNKNOWN',
  })
  await expect(load({ env: { VID_PRESET: 'loud' } })).rejects.toMatchObject({
    code: 'VID_PRESET_UNKNOWN',
    message: 'There is no preset "loud" (from environment VID_PRESET); known: standard.',
  })
})

test.each([
  ['vid.config.ts', 'export default {\n  render fps\n}\n', 2],
  ['vid.config.ts', 'const a = 1\nthrow new Error("no luck")\n', 2],
  ['vid.config.mjs', 'export default {\n\n  a b\n}\n', 3],
  ['vid.config.json', '{\n  "render": {\n    "fps": 60,,\n  }\n}\n', 3],
])('a broken %s is named with its line (%#)', async (name, text, line) => {
  await write(name, text)
  const thrown = await load().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toMatchObject({ code: 'VID_CONFIG_BROKEN', fault: 'caller', facts: { line } })
  expect((thrown as Error).message).toContain(`${name}:${line}`)
})

test.each(['vid.config.ts', 'vid.config.mjs'])('a package that %s needs is to be installed', async (name) => {
  await write(name, "import s3 from '@acme/deliver'\nexport default { deliveries: [s3()] }")
  await expect(load()).rejects.toMatchObject({
    code: 'VID_CONFIG_BROKEN',
    hint: expect.stringContaining('Run "npm install @acme/deliver"'),
  })
})

test.each([
  ['vid.config.mjs', 'export default { encoder: [] }', 'unknown key "encoder"'],
  ['vid.config.ts', 'export const config = {}', 'the config is the default export: export default'],
  ['vid.config.mjs', 'export default { encoders: {} }', 'encoders must be a list'],
  ['vid.config.mjs', 'export default { render: { fps: 241 } }', 'render.fps'],
  ['vid.config.json', '{ "render": { "workers": 9 } }', 'render.workers'],
  ['vid.config.json', '{ "encoders": [] }', 'encoders'],
  [
    'vid.config.json',
    '{ "render": { "format": ["mp4", "gif"] } }',
    'write render.outputs: [{ format: "mp4" }, { format: "gif" }] instead',
  ],
  ['vid.config.mjs', 'export default { render: { format: ["mp4"] } }', 'write render.outputs: [{ format: "mp4" }]'],
  ['vid.config.mjs', 'export default { render: { format: 4 } }', 'render.format must be string; got 4'],
])('a wrong value in %s is named (%#)', async (name, text, problem) => {
  await write(name, text)
  const thrown = await load().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toMatchObject({ code: 'VID_CONFIG_INVALID', fault: 'caller' })
  expect((thrown as Error).message).toContain(problem)
})

const store = defineStore({
  name: 'fixture-store',
  open: () => Promise.reject(new Error('no test opens it')),
})

test('the JSON form takes values of variables, and refuses a setting that it does not know', async () => {
  await write('vid.config.json', '{ "render": { "variables": { "title": "a" } } }')
  expect((await load()).render).toEqual({ quality: 'draft', variables: { title: 'a' } })
  await write('vid.config.json', '{ "render": { "qualty": "high" } }')
  await expect(load()).rejects.toMatchObject({
    code: 'VID_CONFIG_INVALID',
    message: expect.stringContaining('qualty'),
  })
})

test('a store comes from the preset or the config, and can be turned off', async () => {
  const presets = [definePreset({ ...standard, store: store() })]
  const open = (env: NodeJS.ProcessEnv, flags: AskedSettings) =>
    loadConfig({ from: [folder], presets, plugins: () => [], env, asked: flags, sourceOf: String })
  const loadStore = async (env: NodeJS.ProcessEnv = {}, flags: AskedSettings = {}) =>
    (await open(env, flags)).setup.store
  expect(await loadStore()).toMatchObject({ name: 'fixture-store' })
  expect(await loadStore({ VID_CACHE: 'off' })).toBe(undefined)
  expect(await loadStore({ VID_CACHE: 'on' }, { cache: false })).toBe(undefined)
  await write('vid.config.json', '{ "store": false }')
  expect(await loadStore()).toBe(undefined)
  const { provenance } = await open({}, {})
  expect(provenance.store).toEqual({ value: false, source: 'config' })
})

test('common plugins are created for the capture engine and for --fresh, and run before other plugins', async () => {
  const options: unknown[] = []
  const plugins: Parameters<typeof loadConfig>[0]['plugins'] = ({ capture, fresh }) => {
    options.push([capture.name, fresh])
    return [definePlugin({ name: 'fixture-builtin', setup: () => {} })()]
  }
  const presets = [definePreset({ ...standard, plugins: [definePlugin({ name: 'fixture-own', setup: () => {} })()] })]
  const open = (flags: AskedSettings) =>
    loadConfig({ from: [folder], presets, plugins, env: {}, asked: flags, sourceOf: String })
  await open({ fresh: true })
  const { setup } = await open({})
  expect(options).toEqual([
    ['fixture-engine', true],
    ['fixture-engine', false],
  ])
  expect(setup.plugins?.map(({ name }) => name)).toEqual(['fixture-builtin', 'fixture-own'])
})
