import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCapture, defineEncoder } from '@vid/kernel'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definePreset, loadConfig } from './index.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const { version } = JSON.parse(await readFile(path('../../kernel/package.json'), 'utf8')) as { version: string }
const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)

const engine = defineCapture({
  name: 'fixture-engine',
  build: async () => '1',
  open: () => Promise.reject(new Error('not opened here')),
})
const encoder = (name: string, formats: string[]) =>
  defineEncoder({ name, formats, accepts: ['png'], encode: async () => ({ file: '' }) })()
const standard = definePreset({
  name: 'standard',
  capture: engine(),
  encoders: [encoder('own-mp4', ['mp4']), encoder('own-gif', ['gif'])],
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-plugins-'))
  await mkdir(join(folder, 'fast'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(path('../../../../node_modules/@vid'), join(folder, 'node_modules/@vid'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const load = () =>
  loadConfig({ from: [folder], presets: [standard], plugins: () => [], env: {}, asked: {}, sourceOf: String })

/** Writes a plugin whose package declares the kernel in some way. */
const writePlugin = async (manifest: object) => {
  const place = join(folder, 'fast')
  const facts = { name: '@acme/fast', version: '3.2.1', type: 'module', main: 'index.js', ...manifest }
  await writeFile(join(place, 'package.json'), JSON.stringify(facts))
  await writeFile(
    join(place, 'index.js'),
    `import { defineDelivery } from '@vid/kernel'
export default defineDelivery({ name: '@acme/fast', deliver: async () => {} })`,
  )
  await writeFile(
    join(folder, 'vid.config.mjs'),
    "import fast from './fast/index.js'\nexport default { deliveries: [fast()] }",
  )
}

describe('a plugin that is made for another version of the kernel', () => {
  test.each([
    ['peerDependencies', `^${major}.${minor + 1}.0`],
    ['dependencies', `${major + 1}.${minor}.0`],
    ['peerDependencies', `~${major}.${minor + 2}.1`],
    ['peerDependencies', `>=${major + 1} <${major + 3}`],
  ])('is warned of by its %s, %s', async (group, range) => {
    await writePlugin({ [group]: { '@vid/kernel': range } })
    expect((await load()).warnings).toMatchObject([
      {
        code: 'VID_PLUGIN_VERSION',
        message: `@acme/fast is made for @vid/kernel ${range}; this is version ${version}.`,
      },
    ])
  })

  test.each([
    version,
    `^${version}`,
    `~${major}.${minor}.${patch + 4}`,
    `${major}.${minor}.${patch + 1}`,
    '*',
    `^${major + 1}.0.0 || ^${version}`,
    'workspace:*',
    'file:../kernel',
  ])('is not one for %s', async (range) => {
    await writePlugin({ peerDependencies: { '@vid/kernel': range } })
    expect((await load()).warnings).toEqual([])
  })

  test('is unknown where its package does not say', async () => {
    await writePlugin({})
    expect((await load()).warnings).toEqual([])
  })
})

/** A config with encoders, each of a name and formats. */
const configWith = (...encoders: readonly (readonly [string, readonly string[]])[]) =>
  writeFile(
    join(folder, 'vid.config.mjs'),
    `import { defineEncoder } from '@vid/kernel'
export default { encoders: ${JSON.stringify(encoders)}.map(([name, formats]) =>
  defineEncoder({ name, formats, accepts: ['png'], encode: async () => ({ file: '' }) })()) }`,
  )

describe('encoders for one format', () => {
  test('of the config replace that of a preset without a word, and the inspection knows both', async () => {
    await configWith(['@acme/mp4', ['mp4']])
    const { setup, provenance, warningsOf } = await load()
    expect(setup.encoders.find(({ formats }) => formats.includes('mp4'))?.name).toBe('@acme/mp4')
    expect(warningsOf(['mp4', 'gif'])).toEqual([])
    expect(provenance['formats.mp4']).toEqual({
      value: { encoder: '@acme/mp4', insteadOf: ['own-mp4 (preset standard)'] },
      source: 'config',
    })
    expect(provenance['formats.gif']).toBeUndefined()
  })

  test('of one config are warned of where the format is rendered', async () => {
    await configWith(['@acme/first', ['avif']], ['@acme/all', ['mp4', 'avif']])
    const { warningsOf, provenance } = await load()
    expect(warningsOf(['mp4', 'gif'])).toEqual([])
    expect(warningsOf(['gif', 'avif'])).toMatchObject([
      {
        code: 'VID_ENCODERS_ALIKE',
        message: '@acme/first makes the avif, because it comes first (config); @acme/all could make it too.',
      },
    ])
    expect(provenance['formats.avif']).toMatchObject({
      value: { encoder: '@acme/first', insteadOf: ['@acme/all (config)'] },
    })
  })
})
