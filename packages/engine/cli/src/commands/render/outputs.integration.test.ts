import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, paint, vid } from '../../fixtures/project.ts'

// Three encoders: `other` shares the capture with mp4, `clear` has alpha and cannot.
const encoders = (more = '') =>
  `${paint.replace(
    /export default .*/s,
    `
const named = (format, changes = {}) => ({ ...bytes(), name: 'fixture-' + format, formats: [format], ...changes })
export default {
  capture: painter(),
  encoders: [bytes(), named('other', { alpha: 'optional' }), named('clear', { alpha: true })],
  ${more}
}`,
  )}`
const shades = async (...path: string[]) => [...(await readFile(join(...path)))]
const all = [...Array(15).keys()]

test('--format with commas captures once for each group of formats, and prints every result', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  const { code, stdout } = await vid(folder, 'render', 'intro', '--format', 'mp4,other,clear')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'renders/intro.mp4\nrenders/intro.other\nrenders/intro.clear\n',
  })
  for (const format of ['mp4', 'other', 'clear'])
    expect(await shades(folder, 'renders', `intro.${format}`)).toEqual(all)
  const json = await vid(folder, 'render', 'intro', '--format', 'mp4,other,clear', '--json')
  const events = eventsOf(json.stdout)
  expect(events.filter(({ type }) => type === 'render-start')).toHaveLength(2)
})

test('--output names all outputs, each with its own extension', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  const { stderr } = await vid(folder, 'render', 'intro', '--format', 'mp4,other', '-o', 'out/clip.mp4')
  expect(stderr).toMatch(
    /^done: 15 frames, 0\.5 s of video, in [\d.]+ s \(planning .*\): out\/clip\.mp4 15 bytes, out\/clip\.other 15 bytes$/m,
  )
  expect(await shades(folder, 'out/clip.mp4')).toEqual(all)
  expect(await shades(folder, 'out/clip.other')).toEqual(all)
  await vid(folder, 'render', 'intro', '--format', 'mp4,other', '-o', 'out/bare')
  expect(await shades(folder, 'out/bare.other')).toEqual(all)
})

test('outputs of the config are written to their own paths; --format overrides them', async () => {
  const outputs = `render: { outputs: [{ format: 'mp4', output: 'a/one.mp4' }, { format: 'other' }] }`
  const folder = await makeFolder({ 'vid.config.mjs': encoders(outputs) })
  const { stdout } = await vid(folder, 'render', 'intro')
  expect(stdout).toBe('a/one.mp4\nrenders/intro.other\n')
  const single = await vid(folder, 'render', 'intro', '--format', 'other')
  expect(single.stdout).toBe('renders/intro.other\n')
})

test('two outputs at one path are refused before anything is rendered', async () => {
  const outputs = `render: { outputs: [{ format: 'mp4', output: 'a.mp4' }, { format: 'other', output: './a.mp4' }] }`
  const folder = await makeFolder({ 'vid.config.mjs': encoders(outputs) })
  const { code, stderr } = await vid(folder, 'render', 'intro')
  expect(code).toBe(2)
  expect(stderr).toContain('error VID_OUTPUT_TWICE: mp4 and other would both be written to')
  await expect(stat(join(folder, 'a.mp4'))).rejects.toThrow()
})

test('the format is inferred from the extension of --output, unless --format sets it', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  const { stdout, stderr } = await vid(folder, 'render', 'intro', '-o', 'clip.other', '--json')
  expect(stderr).not.toContain('VID_OUTPUT_MISNAMED')
  expect(stdout).toContain('"type":"render-complete"')
  const both = await vid(folder, 'render', 'intro', '-o', 'fresh.other', '--format', 'mp4')
  expect(both.stderr).toContain('VID_OUTPUT_MISNAMED: The output "fresh.other" will hold mp4, not other')
})

test.each(['clip.mp5', 'clip.xyz', 'clip.m4v', 'clip.webp'])(
  'the unknown extension of %s is refused with the known ones, and kept with --format',
  async (name) => {
    const folder = await makeFolder({ 'vid.config.mjs': encoders(), 'rows.json': '[{"name":"a"}]' })
    for (const args of [
      ['-o', name],
      ['-o', `{name}-${name}`, '--batch', 'rows.json'],
    ]) {
      const { code, stderr } = await vid(folder, 'render', 'intro', ...args)
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(/which no encoder makes; known formats: mp4, other, clear/)
    }
    expect(await vid(folder, 'render', 'intro', '-o', name, '--format', 'mp4')).toMatchObject({ code: 0 })
  },
)

test('a dot in the name of an output is no extension where what follows cannot be one', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  for (const name of ['take 1.5', 'J. Smith'])
    expect(await vid(folder, 'render', 'intro', '-o', name)).toMatchObject({ code: 0, stdout: `${name}\n` })
})

test('a format that loses its transparency gives a warning', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  const { stderr } = await vid(folder, 'render', 'intro', '--format', 'mp4,other')
  expect(stderr).toContain('VID_OUTPUT_OPAQUE: The other is not transparent')
  const apart = await vid(folder, 'render', 'intro', '--format', 'mp4,other,clear')
  expect(apart.stderr).not.toContain('VID_OUTPUT_OPAQUE')
})

test('a result without a delivery is not printed as written', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders('deliveries: [],') })
  const { stdout, stderr } = await vid(folder, 'render', 'intro')
  expect(stdout).toBe('')
  expect(stderr).toContain('VID_OUTPUT_NOT_WRITTEN: No delivery wrote the result to renders/intro.mp4')
})

test('a result that was delivered elsewhere alone is shown there', async () => {
  const config = encoders('deliveries: [carrier()],').replace('import { ', 'import { carrier, ')
  const folder = await makeFolder({ 'vid.config.mjs': config })
  const { stdout, stderr } = await vid(folder, 'render', 'intro')
  expect(stdout).toBe('')
  expect(stderr).toContain('delivered to s3://films/intro.mp4')
  expect(stderr).not.toContain('VID_OUTPUT_NOT_WRITTEN')
})

test('an unknown format in a list is named', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': encoders() })
  const { code, stderr } = await vid(folder, 'render', 'intro', '--format', 'mp4,avi')
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
    code: 2,
    stderr: expect.stringContaining('VID_FORMAT_UNKNOWN: No encoder makes the format "avi"'),
  })
})
