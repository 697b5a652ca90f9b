import { expect, test } from 'vitest'
import type { Frame } from '../contracts/roles.ts'
import { holdFrames } from './held-frames.ts'

/** Frames of four bytes whose pixels are overwritten with the next frame, as those of a capture; counts those that were read. */
const captured = (count: number, isRepeat: (index: number) => boolean = () => false) => {
  // A capture gives buffers, of which a slice is not a copy.
  const data = Buffer.alloc(4)
  const state = { read: 0, isClosed: false }
  async function* frames(): AsyncGenerator<Frame> {
    try {
      for (let index = 0; index < count; index++) {
        state.read += 1
        const repeat = isRepeat(index)
        if (!repeat) data.fill(index)
        yield { index, format: 'rgba', data, ...(repeat && { repeat }) }
      }
    } finally {
      state.isClosed = true
    }
  }
  return { state, frames: frames() }
}

const gate = () => {
  let open = () => {}
  const ready = new Promise<void>((resolve) => {
    open = resolve
  })
  return { ready, open }
}

/** Reads all frames, and lets go of each at once; gives the first byte of each. */
const firstBytes = async (frames: AsyncIterable<Frame>) => {
  const bytes: [index: number, byte: number | undefined][] = []
  for await (const { index, data } of frames) bytes.push([index, data[0]])
  return bytes
}

/** Lets everything run that does not wait for anything else. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve))

test('frames are read ahead up to the limit, kept as they were, and passed on in order once the reader may start', async () => {
  const { state, frames } = captured(6)
  const { ready, open } = gate()
  const reading = firstBytes(holdFrames(frames, ready, 12))
  await turnOver()
  expect(state.read).toBe(3)
  open()
  expect(await reading).toEqual([0, 1, 2, 3, 4, 5].map((index) => [index, index]))
  expect(state).toEqual({ read: 6, isClosed: true })
})

test('frames that repeat take no room', async () => {
  const { state, frames } = captured(9, (index) => index % 4 !== 0)
  const { ready, open } = gate()
  const reading = firstBytes(holdFrames(frames, ready, 12))
  await turnOver()
  expect(state.read).toBe(9)
  open()
  expect((await reading).map(([, byte]) => byte)).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8])
})

test('what waits may also fail, and nothing is held after that', async () => {
  const { state, frames } = captured(4)
  const buffered = holdFrames(frames, Promise.reject(new Error('the encoder before failed')), 1000)
  expect((await buffered.next()).value).toMatchObject({ index: 0 })
  expect(state.read).toBeLessThan(4)
  expect((await firstBytes(buffered)).length).toBe(3)
})

test('an error of the frames is thrown before the reader may start', async () => {
  async function* broken(): AsyncGenerator<Frame> {
    yield { index: 0, format: 'rgba', data: new Uint8Array(4) }
    throw new Error('the page crashed')
  }
  await expect(firstBytes(holdFrames(broken(), new Promise(() => {})))).rejects.toThrow('the page crashed')
})

test('a reader that leaves ends the frames', async () => {
  const { state, frames } = captured(6)
  for await (const { index } of holdFrames(frames, Promise.resolve())) if (index === 2) break
  expect(state.isClosed).toBe(true)
})
