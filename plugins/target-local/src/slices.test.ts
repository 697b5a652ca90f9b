import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKernel, defineCapture, defineEncoder, definePlugin, type Frame, render } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import local from './index.ts'

const SIZE = 16

interface Changes {
  readonly stateful?: boolean
  /** Whether the engine captures slices. */
  readonly slices?: boolean
  readonly failsAt?: number
}

/** An engine whose pages each note the frames that they capture, and an encoder that writes the first byte of each. */
const makePlugins = ({ stateful = false, slices = true, failsAt }: Changes) => {
  const pages: { frames: number[]; isClosed: boolean }[] = []
  const composition: number[] = []
  let failures = 0
  const capture = defineCapture({
    name: 'test-capture',
    build: async () => '1',
    async open() {
      const page = { frames: [] as number[], isClosed: false }
      pages.push(page)
      async function* frames(start: number, end: () => number): AsyncGenerator<Frame> {
        for (let index = start; index < end(); index += 1) {
          await nextTurn()
          if (index === failsAt && failures++ === 0) throw new Error('the browser was killed')
          page.frames.push(index)
          yield { index, format: 'rgba', data: new Uint8Array(SIZE * SIZE * 4).fill(index) }
        }
      }
      return {
        probe: async () => ({ duration: null, stateful }),
        frames: ({ start, frames: count }) => frames(start, () => start + count),
        ...(slices && { slice: (start, { end }) => frames(start, end) }),
        async close() {
          page.isClosed = true
        },
      }
    },
  })
  const encoder = defineEncoder({
    name: 'test-encoder',
    formats: ['mp4'],
    accepts: ['rgba'],
    async encode(frames, { path }) {
      const bytes: number[] = []
      for await (const { data } of frames) {
        for (let left = 3; left > 0; left -= 1) await nextTurn()
        bytes.push(data[0] ?? 0)
      }
      await writeFile(path, Uint8Array.from(bytes))
      return { file: path }
    },
    async join(segments, _audio, { path }) {
      const bytes = Buffer.concat(await Promise.all(segments.map(({ file }) => readFile(file))))
      composition.push(...bytes)
      await writeFile(path, bytes)
      return { path }
    },
  })
  return { pages, composition, capture, encoder }
}

const sized = (stateful: boolean) =>
  definePlugin({
    name: 'test-plan',
    setup: (hooks) =>
      hooks.plan.tap('test-plan', (plan) => ({
        ...plan,
        width: SIZE,
        height: SIZE,
        frames: 100,
        composition: { ...plan.composition, stateful },
      })),
  })

const inOrder = Array.from({ length: 100 }, (_, index) => index)

const run = async (workers: number, changes: Changes = {}, segmentFrames = 100) => {
  const projectDir = await mkdtemp(join(tmpdir(), 'vid-slices-'))
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }))
  const { pages, composition, capture, encoder } = makePlugins(changes)
  const kernel = createKernel({
    capture: capture(),
    encoders: [encoder()],
    plugins: [sized(changes.stateful ?? false)()],
    target: local({ retries: 1 }),
  })
  const request = { projectDir, output: join(projectDir, 'out.mp4'), workers, segmentFrames }
  const { warnings } = await render(kernel, request)
  expect(composition).toEqual(inOrder)
  expect(pages.every(({ isClosed }) => isClosed)).toBe(true)
  return { captured: pages.map(({ frames }) => frames), codes: warnings.map(({ code }) => code) }
}

test('workers without a segment capture slices of one that another has started, each frame once', async () => {
  const { captured } = await run(3)
  expect(captured).toHaveLength(3)
  expect(captured.every((frames) => frames.length > 6)).toBe(true)
  expect(captured.flat().sort((a, b) => a - b)).toEqual(inOrder)
})

test('at the end of a video, workers help with the last segment', async () => {
  const { captured } = await run(2, {}, 34)
  expect(captured.flat().sort((a, b) => a - b)).toEqual(inOrder)
  const last = captured.map((frames) => frames.filter((index) => index >= 68).length)
  expect(Math.min(...last)).toBeGreaterThan(0)
})

test.each([
  ['whose engine captures no slices', { slices: false }],
  ['whose page keeps state between frames', { stateful: true }],
])('a segment %s has one page', async (_, changes) => {
  const { captured } = await run(3, changes)
  expect(captured).toEqual([inOrder])
})

test('a segment of which one page fails is rendered again, with the same help', async () => {
  const { captured, codes } = await run(3, { failsAt: 40 })
  expect(codes).toEqual(['VID_SEGMENT_RETRIED'])
  expect(captured.filter((frames) => frames.length > 6).length).toBeGreaterThan(2)
})
