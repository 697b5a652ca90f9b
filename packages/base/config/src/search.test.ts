import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCapture } from '@vid/kernel'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { definePreset, loadConfig } from './index.ts'

const engine = defineCapture({
  name: 'fixture-engine',
  build: async () => '1',
  open: () => Promise.reject(new Error('not opened here')),
})
const standard = definePreset({ name: 'standard', capture: engine() })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-search-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const load = (from = folder) =>
  loadConfig({ from: [from], presets: [standard], plugins: () => [], env: {}, asked: {}, sourceOf: String })
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const fpsOf = async (from = folder) => (await load(from)).render.fps

/** A config of each name, with a frame rate. */
const texts: Readonly<Record<string, (fps: number) => string>> = {
  'vid.config.ts': (fps) => `const fps: number = ${fps}\nexport default { render: { fps } }`,
  'vid.config.mts': (fps) => `const fps: number = ${fps}\nexport default { render: { fps } }`,
  'vid.config.cts': (fps) => `const fps: number = ${fps}\nmodule.exports = { render: { fps } }`,
  'vid.config.js': (fps) => `module.exports = { render: { fps: ${fps} } }`,
  'vid.config.mjs': (fps) => `export default { render: { fps: ${fps} } }`,
  'vid.config.cjs': (fps) => `module.exports = { render: { fps: ${fps} } }`,
  'vid.config.json': (fps) => `{ "render": { "fps": ${fps} } }`,
}

describe('the names of a config', () => {
  test.each(Object.entries(texts))('%s is loaded, and again when it was edited', async (name, textOf) => {
    await write(name, textOf(24))
    expect(await fpsOf()).toBe(24)
    await write(name, textOf(25))
    expect(await fpsOf()).toBe(25)
    await write(name, textOf(50))
    expect(await fpsOf()).toBe(50)
  })

  test.each(['yaml', 'yml', 'toml', 'jsonc', 'json5', 'jsx', 'tsx'])(
    'vid.config.%s is refused with the names that are read, not passed over',
    async (extension) => {
      await mkdir(join(folder, 'inner'))
      await write(`vid.config.${extension}`, 'render: { fps: 24 }')
      for (const from of [folder, join(folder, 'inner')])
        await expect(load(from)).rejects.toMatchObject({
          code: 'VID_CONFIG_NAME',
          fault: 'caller',
          message: expect.stringMatching(new RegExp(`vid\\.config\\.${extension} is not read: .*vid\\.config\\.json`)),
        })
    },
  )

  test('of several in one folder, the first is used, and the others are named', async () => {
    for (const name of ['vid.config.js', 'vid.config.json', 'vid.config.cjs'])
      await write(name, texts[name]?.(24) ?? '')
    await write('vid.config.yaml', 'a: 1')
    await write('vid.config.mts', '')
    const { file, warnings } = await load()
    expect(file).toBe(join(folder, 'vid.config.js'))
    expect(warnings).toMatchObject([
      {
        code: 'VID_CONFIG_SEVERAL',
        message: expect.stringContaining('vid.config.cjs, vid.config.json, vid.config.yaml in the same folder are not'),
      },
    ])
    for (const name of ['vid.config.json', 'vid.config.cjs', 'vid.config.yaml']) await rm(join(folder, name))
    expect((await load()).warnings).toEqual([])
  })

  test('neither a package.json nor the files of other programs are read or run', async () => {
    await mkdir(join(folder, '.config'))
    await write('package.json', '{ "vid": { "render": { "fps": 24 } }, broken')
    for (const name of ['config.js', 'config.mjs', 'vidrc.js'])
      await write(`.config/${name}`, `throw new Error('this file is run')`)
    await write('.vidrc', 'render: { fps: 24 }')
    expect((await load()).file).toBeUndefined()
    await write('vid.config.json', '{ "render": { "fps": 60 } }')
    expect(await fpsOf()).toBe(60)
  })
})

test('the search ends with the home folder', async () => {
  const home = join(folder, 'home')
  await mkdir(join(home, '.config/vid'), { recursive: true })
  await mkdir(join(home, 'film'))
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const place of ['', 'home/.config/vid/']) await write(`${place}vid.config.json`, '{ "render": { "fps": 24 } }')
  await write('home/.config/vid/config.json', '{ "render": { "fps": 24 } }')
  expect((await load(join(home, 'film'))).file).toBeUndefined()
  await write('home/vid.config.json', '{ "render": { "fps": 60 } }')
  expect(await fpsOf(join(home, 'film'))).toBe(60)
})

describe('a config that cannot be read', () => {
  test('a pipe is refused at once: nothing waits for a writer', async () => {
    execFileSync('mkfifo', [join(folder, 'vid.config.ts')])
    await expect(load()).rejects.toMatchObject({
      code: 'VID_CONFIG_BROKEN',
      message: expect.stringContaining('it is not a regular file'),
    })
  })

  test('a device is refused before it is read', async () => {
    await symlink('/dev/zero', join(folder, 'vid.config.mjs'))
    await expect(load()).rejects.toMatchObject({
      code: 'VID_CONFIG_BROKEN',
      message: expect.stringContaining('it is not a regular file'),
    })
  })

  test('a file of which the permissions are missing is an error, and no config above it is used', async () => {
    await mkdir(join(folder, 'inner'))
    await write('vid.config.json', '{ "render": { "fps": 60 } }')
    await write('inner/vid.config.json', '{ "render": { "fps": 24 } }')
    await chmod(join(folder, 'inner/vid.config.json'), 0)
    // The administrator may read it all the same.
    const ending = await load(join(folder, 'inner')).then(
      ({ render }) => render.fps,
      ({ code }: { readonly code: string }) => code,
    )
    expect(ending).toBe(process.getuid?.() === 0 ? 24 : 'VID_CONFIG_BROKEN')
  })
})

describe('what a config exports', () => {
  test.each([
    ['vid.config.mjs', 'export default Promise.resolve({ render: { fps: 24 } })'],
    ['vid.config.ts', 'export default Promise.resolve({ render: { fps: 24 } })'],
    ['vid.config.cjs', 'module.exports = Promise.resolve({ render: { fps: 24 } })'],
  ])('a promise is waited for in %s', async (name, text) => {
    await write(name, text)
    expect(await fpsOf()).toBe(24)
  })

  test.each([
    ['vid.config.mjs', 'export default () => ({})', 'it exports a function'],
    ['vid.config.ts', 'export default () => ({})', 'it exports a function'],
    ['vid.config.cjs', 'module.exports = () => ({})', 'it exports a function'],
    ['vid.config.mjs', 'globalThis.nothing = 1', 'it has no default export'],
    ['vid.config.ts', 'const nothing: number = 1; void nothing', 'it has no default export'],
    ['vid.config.mjs', 'export default null', 'got null'],
    ['vid.config.mjs', 'export default []', 'got []'],
    ['vid.config.json', '7', 'must be object'],
    ['vid.config.mjs', 'export default { presets: [7] }', 'presets[0] must be a preset'],
    [
      'vid.config.mjs',
      'export default { presets: [{ name: "a", encoders: 7 }] }',
      'presets[0].encoders must be a list',
    ],
    ['vid.config.mjs', 'export default { store: 7, capture: "x" }', 'store must be a plugin'],
  ])('%s of "%s" is refused in words', async (name, text, problem) => {
    await write(name, text)
    await expect(load()).rejects.toMatchObject({
      code: 'VID_CONFIG_INVALID',
      message: expect.stringContaining(problem),
    })
  })

  test('a promise that rejects is a broken config', async () => {
    await write('vid.config.mjs', "export default Promise.reject(new Error('no luck'))")
    await expect(load()).rejects.toMatchObject({
      code: 'VID_CONFIG_BROKEN',
      message: expect.stringContaining('no luck'),
    })
  })
})
