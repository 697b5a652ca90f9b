import { expect, test } from 'vitest'
import type { Frame } from '../contracts/roles.ts'
import { createFrameQueue, createSpareBuffers } from './frame-queue.ts'

const frame = (index: number, repeat = false): Frame => ({
  index,
  format: 'rgba',
  data: new Uint8Array(4).fill(index),
  ...(repeat && { repeat }),
})

test('frames are read in order, with their own pixels, also those that come later', async () => {
  const queue = createFrameQueue(createSpareBuffers())
  const data = new Uint8Array(4)
  for (const index of [0, 1]) queue.push({ index, format: 'rgba', data: data.fill(index) })
  const bytes: (number | undefined)[] = []
  for await (const { index, data: pixels } of queue.read()) {
    bytes.push(pixels[0])
    if (index < 4) queue.push(frame(index + 2))
    if (index === 4) queue.end()
  }
  expect(bytes).toEqual([0, 1, 2, 3, 4, 5])
})

test('a repeat has the buffer of the frame before it', async () => {
  const queue = createFrameQueue(createSpareBuffers())
  for (const [index, repeat] of [false, true, true].entries()) queue.push(frame(index, repeat))
  queue.end()
  const frames: Frame[] = []
  for await (const entry of queue.read()) frames.push(entry)
  expect(new Set(frames.map(({ data }) => data)).size).toBe(1)
  expect(frames.map(({ repeat }) => repeat ?? false)).toEqual([false, true, true])
})

test('a frame stays as it is while the next one is read, and its buffer is used again after that', async () => {
  const buffers = createSpareBuffers()
  const queue = createFrameQueue(buffers)
  for (let index = 0; index < 3; index += 1) queue.push(frame(index))
  const frames = queue.read()
  const [first, second, third] = [await frames.next(), await frames.next(), await frames.next()]
  expect([second.value?.data[0], third.value?.data[0]]).toEqual([1, 2])
  expect(buffers.copy(new Uint8Array(4).fill(9))).toBe(first.value?.data)
  expect(buffers.copy(new Uint8Array(4))).not.toBe(second.value?.data)
})

test('an error is thrown after the frames before it', async () => {
  const queue = createFrameQueue(createSpareBuffers())
  queue.push(frame(0))
  queue.end(new Error('the browser was killed'))
  const frames = queue.read()
  expect((await frames.next()).value?.index).toBe(0)
  await expect(frames.next()).rejects.toThrow('the browser was killed')
})
