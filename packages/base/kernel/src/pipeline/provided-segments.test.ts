import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderEvent } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { capture, encoder, greyFrames, page, request, setupOf, taps } from '../fixtures/plugins.ts'
import { type BlobStore, createKernel, defineStore, type EncodedFile, render, type SegmentTask } from '../index.ts'

/** A plugin that provides segments. */
const provider = (provide: (task: SegmentTask) => Promise<EncodedFile | undefined>) =>
  taps('provider', (hooks) => hooks.segment.tapPromise('provider', provide))

/** A store that records the names of its calls. */
const noting = (changes: Partial<BlobStore> = {}) => {
  const calls: string[] = []
  const note = (name: string) => void calls.push(name)
  const store = defineStore({
    name: 'noting-store',
    async open() {
      note('open')
      return {
        get: async () => false,
        put: async () => note('put'),
        read: async () => undefined,
        write: async () => note('write'),
        touch: async () => {},
        list: async function* () {},
        remove: async () => {},
        close: async () => note('close'),
        ...changes,
      }
    },
  })()
  return { calls, store }
}

const counting = () => {
  const captured: number[] = []
  const counter = capture({
    open: async () =>
      page({
        inputs: async () => [{ source: 'index.html', digest: 'abc' }],
        async *frames(range) {
          for await (const frame of greyFrames(range)) {
            captured.push(frame.index)
            yield frame
          }
        },
      }),
  })
  return { captured, counter }
}

test('a segment provided by a plugin is not captured, and the report has the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-segments-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { captured, counter } = counting()
  const files = new Map<number, string>()
  const plugin = provider(async ({ segment: { index, path }, make }) => {
    const file = files.get(index)
    if (file) {
      await copyFile(file, path)
      return { file: path, reused: 'the same sources' }
    }
    const encoded = await make.encode(make.frames())
    expect(await make.inputs()).toEqual([{ source: 'index.html', digest: 'abc' }])
    await copyFile(encoded.file, join(folder, `${index}`))
    files.set(index, join(folder, `${index}`))
    return encoded
  })
  const kernel = createKernel(setupOf({ capture: counter, plugins: [plugin] }))
  const eventsOf = async () => {
    const events: RenderEvent[] = []
    await render(kernel, request, { onEvent: (event) => events.push(event) })
    return events
  }
  await eventsOf()
  expect(captured).toEqual([0, 1, 2, 3, 4, 5])
  files.delete(1)
  const events = await eventsOf()
  expect(captured).toEqual([0, 1, 2, 3, 4, 5, 2, 3])
  const ended = events.flatMap((event) =>
    event.type === 'segment-complete' ? [[event.index, event.frames, event.reused]] : [],
  )
  expect(ended).toEqual([
    [0, 2, 'the same sources'],
    [1, 2, undefined],
    [2, 2, 'the same sources'],
  ])
  const progress = events.flatMap((event) =>
    event.type === 'render-progress' && event.stage === 'render' ? [event.framesRendered] : [],
  )
  expect(progress).toEqual([2, 3, 4, 6])
})

test('a plugin may capture a part, and then the whole segment', async () => {
  const { captured, counter } = counting()
  const texts: string[] = []
  const plugin = provider(async ({ segment: { start }, make }) => {
    for await (const _ of make.frames({ index: 0, start, frames: 1 }));
    const { file } = await make.encode(make.frames())
    texts.push(await readFile(file, 'utf8'))
    return { file }
  })
  await render(createKernel(setupOf({ capture: counter, plugins: [plugin] })), request)
  expect(captured).toEqual([0, 0, 1, 2, 2, 3, 4, 4, 5])
  expect(texts).toEqual(['0,1', '2,3', '4,5'])
})

test('a failing plugin is named in the error, but not for errors that it passes on', async () => {
  const broken = provider(async () => {
    throw new Error('no space')
  })
  await expect(render(createKernel(setupOf({ plugins: [broken] })), request)).rejects.toMatchObject({
    plugin: 'provider',
    hook: 'segment',
  })
  const failing = encoder({
    async encode() {
      throw new Error('no licence')
    },
  })
  const plugin = provider(async ({ make }) => make.encode(make.frames()))
  await expect(
    render(createKernel(setupOf({ plugins: [plugin], encoders: [failing] })), request),
  ).rejects.toMatchObject({ plugin: 'list-encoder', hook: 'encode' })
})

test('a store is opened on first use, once for a render, and closed after the segments', async () => {
  const { calls, store } = noting()
  const plugin = provider(async ({ openStore }) => {
    calls.push('segment')
    await (await openStore?.())?.write('a', 'text')
    return undefined
  })
  const kernel = createKernel(setupOf({ store, plugins: [plugin] }))
  const { timings = [] } = await render(kernel, request)
  expect(calls).toEqual(['segment', 'open', 'write', 'segment', 'write', 'segment', 'write', 'close'])
  expect(timings.find(({ plugin }) => plugin === 'noting-store')).toMatchObject({ hook: 'store', calls: 5 })
  calls.length = 0
  await render(createKernel(setupOf({ store })), request)
  expect(calls).toEqual([])
})

test('a failing store is named in the error, and one that cannot be closed gives a warning', async () => {
  const no = async () => {
    throw new Error('no space')
  }
  const plugin = provider(async ({ openStore }) => {
    await (await openStore?.())?.write('a', 'text')
    return undefined
  })
  const failing = createKernel(setupOf({ store: noting({ write: no }).store, plugins: [plugin] }))
  await expect(render(failing, request)).rejects.toMatchObject({ plugin: 'noting-store', hook: 'store' })
  const unclosed = createKernel(setupOf({ store: noting({ close: no }).store, plugins: [plugin] }))
  const { warnings } = await render(unclosed, request)
  expect(warnings).toEqual([expect.objectContaining({ plugin: 'noting-store', code: 'VID_PLUGIN_FAILED' })])
})
