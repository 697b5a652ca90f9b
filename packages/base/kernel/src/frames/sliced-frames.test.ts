import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Frame } from '../contracts/roles.ts'
import { createSlicedFrames, type SlicePage } from './sliced-frames.ts'

const frameOf = (index: number, repeat = false): Frame => ({
  index,
  format: 'rgba',
  data: new Uint8Array(4).fill(index % 251),
  ...(repeat && { repeat }),
})

interface PageChanges {
  /** Turns that a frame takes. */
  turns?(): number
  /** A frame at which the page ends early. */
  readonly endsAt?: number
  readonly failsAt?: number
  readonly isStill?: (index: number) => boolean
}

/** A page that captures grey frames, four ahead of its reader as a browser does, and what became of it. */
const pageOf = ({ turns = () => 1, endsAt, failsAt, isStill = () => false }: PageChanges = {}) => {
  const state = { captured: [] as number[], slices: 0, next: undefined as number | undefined, isDiscarded: false }
  const page: SlicePage = {
    async *frames(start, slice, signal) {
      state.slices += 1
      const requested = (index: number) => Math.min(index + 4, slice.end())
      let last = requested(start)
      for (let index = start; index < slice.end(); index += 1) {
        for (let left = turns(); left > 0; left -= 1) await nextTurn()
        signal.throwIfAborted()
        if (index === endsAt) return
        if (index === failsAt) throw new Error(`frame ${index} failed`)
        last = Math.max(last, requested(index))
        // What is requested is drawn in any case.
        if (last > slice.end()) throw new Error(`the slice ends at ${slice.end()}, but ${last} were requested`)
        state.captured.push(index)
        yield frameOf(index, isStill(index))
      }
    },
    release(next) {
      state.next = next
    },
    async discard() {
      state.isDiscarded = true
    },
  }
  return { page, state }
}

const segment = (start: number, frames: number) => ({ index: 0, start, frames })
const never = () => {
  throw new Error('no rest is captured alone')
}
const indexesOf = async (frames: AsyncIterable<Frame>) => {
  const indexes: number[] = []
  for await (const { index, data } of frames) {
    expect(data[0]).toBe(index % 251)
    indexes.push(index)
  }
  return indexes
}
const range = (start: number, end: number) => Array.from({ length: end - start }, (_, index) => start + index)

test('a page that has no help captures all frames in one slice', async () => {
  const { page, state } = pageOf()
  const sliced = createSlicedFrames(page, { segment: segment(120, 40), frameBytes: 4, alone: never })
  expect(await indexesOf(sliced.frames())).toEqual(range(120, 160))
  expect(state).toMatchObject({ slices: 1, next: 160, isDiscarded: false })
})

describe('with help', () => {
  test.each([1, 2, 5])('of %s pages of any speed, all frames come once and in order', async (helpers) => {
    for (let seed = 0; seed < 8; seed += 1) {
      let random = seed + 1
      const turns = () => {
        random = (random * 16807) % 2147483647
        return random % 7
      }
      const first = pageOf({ turns })
      const sliced = createSlicedFrames(first.page, { segment: segment(5, 90), frameBytes: 4, alone: never })
      const others = Array.from({ length: helpers }, () => pageOf({ turns }))
      const reading = indexesOf(sliced.frames())
      const helping = others.map(async ({ page }, index) => {
        for (let left = index * 20; left > 0; left -= 1) await nextTurn()
        await sliced.help(page)
      })
      expect(await reading).toEqual(range(5, 95))
      await Promise.all(helping)
      const all = [first, ...others].map(({ state }) => state)
      expect(all.flatMap(({ captured }) => captured).sort((a, b) => a - b)).toEqual(range(5, 95))
      expect(all.every(({ next, isDiscarded }) => next !== undefined && !isDiscarded)).toBe(true)
      expect(others[0]?.state.captured.length).toBeGreaterThan(0)
    }
  })

  test('at most 64 MiB of pictures are held for each page', async () => {
    const [first, other] = [pageOf(), pageOf({ turns: () => 0 })]
    const frameBytes = 4 * 2 ** 20
    const sliced = createSlicedFrames(first.page, { segment: segment(0, 400), frameBytes, alone: never })
    const frames = sliced.frames()
    await frames.next()
    const helping = sliced.help(other.page)
    for (let left = 2000; left > 0; left -= 1) await nextTurn()
    // Nothing is read meanwhile: the other page is as far ahead as it may be.
    expect(other.state.captured.length).toBe(32)
    expect(await indexesOf(frames)).toEqual(range(1, 400))
    await helping
  })

  test('nothing is captured by another page while nothing changes', async () => {
    const isStill = (index: number) => index > 0 && index < 60
    const [first, other] = [pageOf({ isStill }), pageOf({ isStill })]
    const sliced = createSlicedFrames(first.page, { segment: segment(0, 120), frameBytes: 4, alone: never })
    const frames = sliced.frames()
    await frames.next()
    await frames.next()
    const helping = sliced.help(other.page)
    expect(await indexesOf(frames)).toEqual(range(2, 120))
    await helping
    expect(Math.min(...other.state.captured)).toBeGreaterThan(60)
  })

  test('a page that comes too late captures nothing', async () => {
    const [first, other] = [pageOf(), pageOf()]
    const sliced = createSlicedFrames(first.page, { segment: segment(0, 12), frameBytes: 4, alone: never })
    const reading = indexesOf(sliced.frames())
    await sliced.help(other.page)
    expect(await reading).toEqual(range(0, 12))
    await sliced.help(other.page)
    expect(other.state).toMatchObject({ captured: [], next: 0 })
  })
})

test.each([
  ['the first page', 3],
  ['the first page in a later slice', 45],
  ['another page', 14],
])('an error of %s is that of the frames, and no page goes on', async (_, failsAt) => {
  const [first, other] = [pageOf({ failsAt, turns: () => 3 }), pageOf({ failsAt, turns: () => 3 })]
  const sliced = createSlicedFrames(first.page, { segment: segment(0, 90), frameBytes: 4, alone: never })
  const reading = indexesOf(sliced.frames())
  const helping = sliced.help(other.page)
  await expect(reading).rejects.toThrow(`frame ${failsAt} failed`)
  await helping
  const before = first.state.captured.length + other.state.captured.length
  for (let left = 20; left > 0; left -= 1) await nextTurn()
  expect(first.state.captured.length + other.state.captured.length).toBe(before)
  expect([first, other].some(({ state }) => state.isDiscarded)).toBe(true)
})

test('a reader that stops early ends the work of all pages', async () => {
  const [first, other] = [pageOf({ turns: () => 3 }), pageOf({ turns: () => 3 })]
  const sliced = createSlicedFrames(first.page, { segment: segment(0, 90), frameBytes: 4, alone: never })
  const frames = sliced.frames()
  const helping = sliced.help(other.page)
  for (let left = 4; left > 0; left -= 1) await frames.next()
  await frames.return(undefined)
  await helping
  expect(first.state.isDiscarded).toBe(true)
  expect(other.state.captured.length).toBeLessThan(30)
})

test.each([
  ['before any page helps', 4],
  ['in a slice of another page', 20],
  ['in a later slice of the first page', 50],
])('from a frame on that only one page can capture, %s, it captures the rest', async (_, endsAt) => {
  const [first, other] = [pageOf({ endsAt, turns: () => 2 }), pageOf({ endsAt, turns: () => 2 })]
  const rests: number[] = []
  async function* alone(start: number) {
    rests.push(start)
    for (let index = start; index < 90; index += 1) yield frameOf(index)
  }
  const sliced = createSlicedFrames(first.page, { segment: segment(0, 90), frameBytes: 4, alone })
  const reading = indexesOf(sliced.frames())
  const helping = sliced.help(other.page)
  expect(await reading).toEqual(range(0, 90))
  await helping
  expect(rests).toEqual([endsAt])
})
