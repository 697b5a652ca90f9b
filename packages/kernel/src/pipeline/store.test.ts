import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { capture, encoder, greyFrames, page, request, setupOf } from '../fixtures/plugins.ts'
import { createKernel, defineStore, type RenderEvent, render, type StoreDefinition } from '../index.ts'

const store = (segment: StoreDefinition<Record<string, unknown>>['segment']) =>
  defineStore({ name: 'shelf', segment })()

const counting = () => {
  const captured: number[] = []
  const own = capture({
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
  return { captured, own }
}

test('a store that has a segment spares its capture, and the report says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { captured, own } = counting()
  const kept = new Map<number, string>()
  const shelf = store(async ({ index, path }, make) => {
    const file = kept.get(index)
    if (file) {
      await copyFile(file, path)
      return { file: path, reused: 'the same sources' }
    }
    const made = await make.encode(make.frames())
    expect(await make.inputs()).toEqual([{ source: 'index.html', digest: 'abc' }])
    await copyFile(made.file, join(folder, `${index}`))
    kept.set(index, join(folder, `${index}`))
    return made
  })
  const kernel = createKernel(setupOf({ capture: own, store: shelf }))
  const eventsOf = async () => {
    const events: RenderEvent[] = []
    await render(kernel, request, { onEvent: (event) => events.push(event) })
    return events
  }
  await eventsOf()
  expect(captured).toEqual([0, 1, 2, 3, 4, 5])
  kept.delete(1)
  const events = await eventsOf()
  expect(captured).toEqual([0, 1, 2, 3, 4, 5, 2, 3])
  const complete = events.flatMap((event) => {
    if (event.type !== 'segment-complete') return []
    const { renderId: _, ...facts } = event
    return [facts]
  })
  expect(complete).toEqual([
    { type: 'segment-complete', index: 0, frames: 2, reused: 'the same sources' },
    { type: 'segment-complete', index: 1, frames: 2 },
    { type: 'segment-complete', index: 2, frames: 2, reused: 'the same sources' },
  ])
  const progress = events.flatMap((event) =>
    event.type === 'render-progress' && event.stage === 'render' ? [event.framesRendered] : [],
  )
  expect(progress).toEqual([2, 3, 4, 6])
})

test('a store may capture a part, and then the whole again', async () => {
  const { captured, own } = counting()
  const made: string[] = []
  const shelf = store(async ({ start }, make) => {
    for await (const _ of make.frames({ index: 0, start, frames: 1 }));
    const { file } = await make.encode(make.frames())
    made.push(await readFile(file, 'utf8'))
    return { file }
  })
  await render(createKernel(setupOf({ capture: own, store: shelf })), request)
  expect(captured).toEqual([0, 0, 1, 2, 2, 3, 4, 4, 5])
  expect(made).toEqual(['0,1', '2,3', '4,5'])
})

test('a store that fails is blamed, but not for what it hands on', async () => {
  const broken = store(async () => {
    throw new Error('no space')
  })
  await expect(render(createKernel(setupOf({ store: broken })), request)).rejects.toMatchObject({
    plugin: 'shelf',
    hook: 'store',
  })
  const failing = encoder({
    async encode() {
      throw new Error('no licence')
    },
  })
  const shelf = store(async (_, make) => make.encode(make.frames()))
  await expect(
    render(createKernel(setupOf({ store: shelf, encoders: [failing] })), request),
  ).rejects.toMatchObject({ plugin: 'list-encoder', hook: 'encode' })
})
