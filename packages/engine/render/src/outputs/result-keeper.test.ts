import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Artifact,
  createKernel,
  defineCapture,
  defineDelivery,
  defineEncoder,
  defineTarget,
  type PluginOf,
  placeArtifact,
  render,
} from '@vid/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resultKeeper } from './result-keeper.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-keeper-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const delivery = (name: string, deliver: PluginOf<'delivery'>['deliver']) => defineDelivery({ name, deliver })()
const failing = delivery('failing', () => Promise.reject(new Error('no network')))
const file = delivery('file', ({ path }, { outputPath }, { signal }) => placeArtifact(path, outputPath, signal))

const video = (path: string) => writeFile(path, 'video')
const frames = async (path: string) => {
  await mkdir(path)
  await writeFile(join(path, 'frame_000000.png'), 'first')
  await writeFile(join(path, 'frame_000001.png'), 'second')
}

/** Renders to `out.bin` in the folder, returns the error's message, and checks that the scratch folder is gone. */
const rendering = async (
  deliveries: readonly PluginOf<'delivery'>[],
  write: (path: string) => Promise<void> = video,
  signal = new AbortController().signal,
  outputs: readonly { format: string; output: string }[] = [],
) => {
  let file = ''
  const target = defineTarget({
    name: 'target',
    async run(_plan, { workDir }): Promise<Artifact> {
      file = join(workDir, 'made')
      await write(file)
      const more = outputs.map(({ format }) => ({ path: join(workDir, format) }))
      for (const { path } of more) await writeFile(path, 'more')
      return more.length > 0 ? { path: file, more } : { path: file }
    },
  })()
  const capture = defineCapture({
    name: 'capture',
    build: async () => '1',
    open: () => Promise.reject(new Error('not opened')),
  })()
  const encoder = defineEncoder({
    name: 'encoder',
    formats: ['bin', 'raw'],
    accepts: ['png'],
    encode: () => Promise.reject(new Error('not asked')),
  })()
  const kernel = createKernel({ capture, encoders: [encoder], target, deliveries, plugins: [resultKeeper()] })
  const request = {
    projectDir: folder,
    output: join(folder, 'out.bin'),
    format: 'bin',
    outputs: [...outputs],
  }
  const message = await render(kernel, request, { signal }).then(
    () => 'rendered',
    (error: Error) => error.message,
  )
  await expect(readFile(file)).rejects.toThrow()
  return message
}

test('a result that could not be delivered is kept at the output path, and the error says so', async () => {
  expect(await rendering([failing])).toMatch(`no network; the finished result is kept at ${folder}/out.bin`)
  expect(await readFile(join(folder, 'out.bin'), 'utf8')).toBe('video')
})

test('a folder of images is kept too', async () => {
  expect(await rendering([failing], frames)).toMatch(`kept at ${folder}/out.bin`)
  expect(await readdir(join(folder, 'out.bin'))).toEqual(['frame_000000.png', 'frame_000001.png'])
})

test.each([
  ['a file', video],
  ['a folder', frames],
])('%s that another delivery has placed is not copied again', async (_, write) => {
  expect(await rendering([file, failing], write)).toMatch(`kept at ${folder}/out.bin`)
  expect(await readdir(folder)).toEqual(['out.bin'])
})

test('an older file at the output keeps its place', async () => {
  await writeFile(join(folder, 'out.bin'), 'older')
  expect(await rendering([failing])).toMatch(`kept at ${folder}/out.undelivered.bin`)
  expect(await readFile(join(folder, 'out.bin'), 'utf8')).toBe('older')
  expect(await readFile(join(folder, 'out.undelivered.bin'), 'utf8')).toBe('video')
})

test.each([
  [1, ['out.bin', 'other.raw']],
  [2, ['other.raw']],
])('of several outputs, those from the one that failed at number %i are kept', async (number, names) => {
  let jobs = 0
  const broken = delivery('broken', async () => {
    jobs += 1
    if (jobs === number) throw new Error('no network')
  })
  const outputs = [{ format: 'raw', output: join(folder, 'other.raw') }]
  const message = await rendering([broken], video, undefined, outputs)
  expect(message.split('kept at ')[1]).toBe(`${names.map((name) => join(folder, name)).join(', ')}.`)
  expect((await readdir(folder)).sort()).toEqual([...names].sort())
  expect(await readFile(join(folder, 'other.raw'), 'utf8')).toBe('more')
})

test('nothing is kept of a render that was cancelled or delivered', async () => {
  const stop = new AbortController()
  const stopped = delivery('stopped', async (_artifact, _result, { signal }) => {
    stop.abort()
    signal.throwIfAborted()
  })
  expect(await rendering([stopped], video, stop.signal)).toBe('The render was cancelled.')
  expect(await rendering([])).toBe('rendered')
  expect(await readdir(folder)).toEqual([])
})

test('what was rendered elsewhere is kept too, each output at its own path', async () => {
  const target = defineTarget({
    name: 'farm',
    async render(_, { paths }) {
      for (const path of paths) await writeFile(path, `video ${path.slice(-3)}`)
      const [path, ...more] = paths
      return { artifact: { path, more: more.map((file) => ({ path: file })) }, frames: 1, durationMs: 33 }
    },
  })()
  const capture = defineCapture({
    name: 'capture',
    build: async () => '1',
    open: () => Promise.reject(new Error('not opened')),
  })()
  const encoder = defineEncoder({
    name: 'encoder',
    formats: ['bin', 'raw'],
    accepts: ['png'],
    encode: () => Promise.reject(new Error('not asked')),
  })()
  const setup = { capture, encoders: [encoder], target, deliveries: [failing], plugins: [resultKeeper()] }
  const outputs = [{ format: 'raw', output: join(folder, 'other.raw') }]
  const request = { projectDir: folder, output: join(folder, 'out.bin'), format: 'bin', outputs }
  await expect(render(createKernel(setup), request)).rejects.toThrow(/kept at .*out\.bin, .*other\.raw/)
  expect(await readFile(join(folder, 'other.raw'), 'utf8')).toBe('video raw')
})
