import { frameIndexAt, selectFrames, shownFrames } from '@vid/ffmpeg'
import type { MediaUse } from '@vid/protocol'
import { expect, test } from 'vitest'

const use = (changes: Partial<MediaUse> = {}): MediaUse => ({
  id: 'm0',
  kind: 'video',
  src: 'a.mp4',
  start: 0,
  end: 4,
  mediaStart: 0,
  rate: 1,
  loop: false,
  volume: 1,
  muted: true,
  hasAudio: null,
  ...changes,
})

/** Time stamps of a source of 4 seconds, rounded as a container rounds them. */
const timesOf = (fps: number, unit = 15_360) =>
  Array.from({ length: fps * 4 }, (_, frame) => (Math.round((frame / fps) * unit) * 10_000) / unit)

const sourceOf = (den = 15_360) => ({
  duration: 4,
  origin: 0,
  picture: {
    width: 2,
    height: 2,
    codec: 'h264',
    fps: 30,
    alpha: false,
    stream: {
      type: 'video',
      index: 0,
      codec: 'h264',
      tags: {},
      width: 2,
      height: 2,
      timeBase: { num: 1, den },
    },
  } as const,
})

const indices = (of: MediaUse, times = timesOf(30), source = sourceOf(), fps = 30, total = 120) =>
  shownFrames(of, source, { times }, { fps, total }).ticks.map((tick) => frameIndexAt(times, tick + 0.5))

test("a source with the composition's frame rate shows every frame once", () => {
  expect(indices(use())).toEqual(Array.from({ length: 120 }, (_, n) => n))
})

test('time stamps rounded up to milliseconds, as in WebM, are not late', () => {
  const frames = indices(use(), timesOf(30, 1000), sourceOf(1000))
  expect(frames).toEqual(Array.from({ length: 120 }, (_, n) => n))
})

test('time stamps finer than ticks are not late', () => {
  const frames = indices(use(), timesOf(30, 90_000), sourceOf(90_000))
  expect(frames).toEqual(Array.from({ length: 120 }, (_, n) => n))
})

test('a frame that starts less than a tick later is not shown yet', () => {
  const times = Array.from({ length: 240 }, (_, frame) => (frame * 1001) / 6)
  const frames = indices(use(), times, sourceOf(60_000))
  expect(frames.slice(0, 120)).toEqual(Array.from({ length: 120 }, (_, n) => Math.floor((n * 2000) / 1001)))
})

test('playback rate, media start and time range select the frame', () => {
  const frames = shownFrames(
    use({ start: 1, end: 1.5, mediaStart: 0.5, rate: 2 }),
    sourceOf(),
    { times: timesOf(30) },
    {
      fps: 30,
      total: 120,
    },
  )
  expect(frames.first).toBe(30)
  expect(frames.ticks.map((tick) => frameIndexAt(timesOf(30), tick + 0.5))).toEqual(
    Array.from({ length: 15 }, (_, n) => 15 + n * 2),
  )
})

test('a loop restarts at its media start and does not show the last frame twice', () => {
  const frames = indices(use({ mediaStart: 3.9, loop: true, end: 0.3 }))
  expect(frames).toEqual([117, 118, 119, 117, 118, 119, 117, 118, 119])
})

test('after the end of a source its last frame stays', () => {
  expect(indices(use({ mediaStart: 3.9, end: 0.2 }))).toEqual([117, 118, 119, 119, 119, 119])
})

test('a time range is cut at the end of the composition', () => {
  expect(indices(use({ end: 10_000 }), timesOf(30), sourceOf(), 30, 6)).toEqual([0, 1, 2, 3, 4, 5])
})

test('only the shown frames are extracted when they are evenly spaced', () => {
  const times = timesOf(60)
  const { ticks } = shownFrames(use(), sourceOf(), { times }, { fps: 30, total: 120 })
  expect(selectFrames(times, ticks)).toEqual({ fromTick: 0, count: 120, stride: 2 })
  expect(selectFrames(times, [times[3] ?? 0, times[4] ?? 0, times[9] ?? 0])).toEqual({
    fromTick: times[3],
    count: 7,
    stride: 1,
  })
  expect(selectFrames(times, [])).toBeUndefined()
})
