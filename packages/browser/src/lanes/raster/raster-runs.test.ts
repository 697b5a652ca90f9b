import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RasterRun } from '@vid/runtime'
import { expect, test } from 'vitest'
import { type RunPage, rasterRuns } from './raster-runs.ts'

/** A page on which something changes in some frames; notes what it is asked for. */
const pageOf = (start: number, frames: number, changes: (frame: number) => boolean, unfitAt?: number) => {
  const asked: { readonly slot: number; readonly most: number; readonly doing: string }[] = []
  let at = start
  const evaluate = async (command: string, doing: string): Promise<RasterRun> => {
    const [slot, most] = (/next\((\d+),(\d+)\)$/.exec(command)?.slice(1) ?? []).map(Number) as [
      number,
      number,
    ]
    asked.push({ slot, most, doing })
    for (let repeats = 0; ; repeats++) {
      if (at === start + frames || repeats === most) return { repeats }
      if (at === unfitAt) return { repeats, last: { unfit: 'a reason' } }
      if (changes(at++)) return { repeats, last: 'drawn' }
    }
  }
  const showing: RunPage['showing'] = (_frame, call) => call
  return { asked, page: { page: { evaluate }, showing } }
}

const framesOf = async (runs: ReturnType<typeof rasterRuns>) => {
  const frames: string[] = []
  for await (const { run, slot } of runs) {
    for (let left = run.repeats; left > 0; left--) frames.push('repeat')
    if (run.last !== undefined) frames.push(typeof run.last === 'object' ? 'unfit' : `${run.last} ${slot}`)
  }
  return frames
}

const range = (start: number, frames: number) => ({ start, frames, planar: true, keep: [] })

test('where each frame changes, each is asked for by itself, into slots in turn', async () => {
  const { asked, page } = pageOf(10, 8, () => true)
  expect(await framesOf(rasterRuns(page, range(10, 8)))).toEqual(
    [0, 1, 2, 3, 4, 5, 0, 1].map((slot) => `drawn ${slot}`),
  )
  expect(asked.map(({ doing }) => doing)).toEqual(
    Array.from({ length: 8 }, (_, index) => `showing frame ${10 + index}`),
  )
})

test('where nothing changes, many frames are asked for at once, and none is lost or made twice', async () => {
  const { asked, page } = pageOf(0, 200, (frame) => frame === 0 || frame === 100 || frame === 199)
  const frames = await framesOf(rasterRuns(page, range(0, 200)))
  expect(frames).toHaveLength(200)
  expect(frames.flatMap((each, frame) => (each === 'repeat' ? [] : [frame]))).toEqual([0, 100, 199])
  expect(asked.length).toBeLessThan(30)
  expect(asked.find(({ most }) => most > 1)?.doing).toMatch(/^showing one of the frames \d+ to \d+$/)
})

test('a frame that cannot be had ends the range, and nothing is asked for after it', async () => {
  const { asked, page } = pageOf(0, 50, () => true, 20)
  const frames = await framesOf(rasterRuns(page, range(0, 50)))
  expect(frames).toHaveLength(21)
  expect(frames[20]).toBe('unfit')
  expect(asked.length).toBeLessThan(26)
})

test('a reader that leaves waits for what was asked for', async () => {
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
