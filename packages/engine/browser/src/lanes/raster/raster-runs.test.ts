import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RasterRun } from '@vid/runtime'
import { expect, test } from 'vitest'
import { type RunPage, rasterRuns } from './raster-runs.ts'

/** A page that changes in some frames; records what is requested from it. */
const pageOf = (start: number, frames: number, changes: (frame: number) => boolean, unfitAt?: number) => {
  const requests: { readonly slot: number; readonly max: number; readonly doing: string }[] = []
  let frame = start
  const evaluate = async (command: string, doing: string): Promise<RasterRun> => {
    const [slot, max] = (/next\((\d+),(\d+)\)$/.exec(command)?.slice(1) ?? []).map(Number) as [number, number]
    requests.push({ slot, max, doing })
    for (let repeats = 0; ; repeats++) {
      if (frame === start + frames || repeats === max) return { repeats }
      if (frame === unfitAt) return { repeats, last: { unfit: 'a reason' } }
      if (changes(frame++)) return { repeats, last: { drawn: [{ first: 0, end: 2 }] } }
    }
  }
  const showing: RunPage['showing'] = (_frame, call) => call
  return { requests, page: { page: { evaluate }, showing } }
}

const framesOf = async (runs: ReturnType<typeof rasterRuns>) => {
  const frames: string[] = []
  for await (const { run, slot } of runs) {
    for (let left = run.repeats; left > 0; left--) frames.push('repeat')
    if (run.last === 'repeat') frames.push('repeat')
    else if (run.last) frames.push('unfit' in run.last ? 'unfit' : `drawn ${slot}`)
  }
  return frames
}

const range = (start: number, frames: number) => ({ start, frames, planar: true, keep: [] })

test('while every frame changes, each is requested separately, into alternating slots', async () => {
  const { requests, page } = pageOf(10, 8, () => true)
  expect(await framesOf(rasterRuns(page, range(10, 8)))).toEqual(
    [0, 1, 2, 3, 4, 5, 0, 1].map((slot) => `drawn ${slot}`),
  )
  expect(requests.map(({ doing }) => doing)).toEqual(
    Array.from({ length: 8 }, (_, index) => `showing frame ${10 + index}`),
  )
})

test('while nothing changes, many frames are requested at once, and none is lost or duplicated', async () => {
  const { requests, page } = pageOf(0, 200, (frame) => frame === 0 || frame === 100 || frame === 199)
  const frames = await framesOf(rasterRuns(page, range(0, 200)))
  expect(frames).toHaveLength(200)
  expect(frames.flatMap((entry, frame) => (entry === 'repeat' ? [] : [frame]))).toEqual([0, 100, 199])
  expect(requests.length).toBeLessThan(30)
  expect(requests.find(({ max }) => max > 1)?.doing).toMatch(/^showing one of the frames \d+ to \d+$/)
})

test('a range that becomes shorter while it is read ends there, and no frame after it is requested', async () => {
  const { requests, page } = pageOf(0, 100, () => true)
  let end = 100
  let count = 0
  for await (const { run } of rasterRuns(page, range(0, 100), () => end)) {
    expect(run.last).toBeDefined()
    count += 1
    if (count === 10) end = 18
  }
  expect(count).toBe(18)
  expect(requests).toHaveLength(18)
})

test('a frame that cannot be captured ends the range, and nothing is requested after it', async () => {
  const { requests, page } = pageOf(0, 50, () => true, 20)
  const frames = await framesOf(rasterRuns(page, range(0, 50)))
  expect(frames).toHaveLength(21)
  expect(frames[20]).toBe('unfit')
  expect(requests.length).toBeLessThan(26)
})

test('a reader that stops early waits for the pending requests', async () => {
  let open = 0
  const { page } = pageOf(0, 50, () => true)
  const slow = {
    ...page,
    showing: async <T>(_frame: number, call: Promise<T>): Promise<T> => {
      open += 1
      const answer = await call
      await nextTurn()
      open -= 1
      return answer
    },
  }
  for await (const _ of rasterRuns(slow, range(0, 50))) break
  expect(open).toBe(0)
})
