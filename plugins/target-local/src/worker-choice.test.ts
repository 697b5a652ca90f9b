import { expect, test } from 'vitest'
import { timeLeft, type WaitingSegment, type WorkLeft, workersToAdd } from './worker-choice.ts'

const segments = (count: number, frames: number, stateful = false): WaitingSegment[] =>
  Array.from({ length: count }, (_, index) => ({ frames, replayed: stateful ? (index + 1) * frames : 0 }))

/** The same work on more cores: the time of a frame, and the cores that are busy meanwhile, measured with one worker on two cores. */
const work = (cores: number, changes: Partial<WorkLeft> = {}): WorkLeft => ({
  cores,
  coresEach: 1.53,
  frameMs: 92,
  running: [80],
  waiting: segments(1, 90),
  ...changes,
})
/** 24 turning cards with shadows at `draft`: drawing takes most of each frame, and leaves half a core idle. */
const draft = (cores: number, count: number) => work(cores, { waiting: segments(count, 120) })
/** The same at `standard`: x264 keeps the other core busy. */
const standard = (cores: number, count: number) =>
  work(cores, { coresEach: 1.87, frameMs: 95, waiting: segments(count, 120) })

test('a clip of six seconds gets a second worker where drawing leaves half a core idle', () => {
  expect(workersToAdd(work(2), 1)).toBe(1)
  // 15.6 s alone; with both, two cores are busy until the first segment ends.
  expect(timeLeft(work(2), 0)).toBeCloseTo(170 * 92, 0)
  expect(timeLeft(work(2), 1)).toBeLessThan(0.9 * timeLeft(work(2), 0))
})

test.each([
  { cores: 1, draft: 0, standard: 0 },
  { cores: 2, draft: 1, standard: 0 },
  { cores: 4, draft: 2, standard: 2 },
  { cores: 8, draft: 4, standard: 4 },
  { cores: 16, draft: 7, standard: 7 },
])('on $cores cores, a minute gets as many more workers as its quality has use for', (expected) => {
  const { cores } = expected
  // One core is kept busy by one worker alone.
  const alone = cores === 1 ? { coresEach: 1, frameMs: 150 } : {}
  expect(workersToAdd({ ...draft(cores, 14), ...alone }, 7)).toBe(expected.draft)
  expect(workersToAdd({ ...standard(cores, 14), ...alone }, 7)).toBe(expected.standard)
})

test('no more workers are added than there are segments, than may be, or than are worth their start', () => {
  expect(workersToAdd(draft(16, 3), 7)).toBe(3)
  expect(workersToAdd(draft(16, 14), 2)).toBe(2)
  expect(workersToAdd(draft(16, 0), 7)).toBe(0)
  expect(workersToAdd(work(16, { running: [5], waiting: segments(1, 5), frameMs: 20 }), 7)).toBe(0)
})

test('a clip of one segment gets workers that capture slices of it', () => {
  // Glass at `draft`: one thread blurs, and drawing leaves most of a core idle.
  const glass = { coresEach: 1.27, frameMs: 65, running: [100], waiting: [] }
  expect(workersToAdd(work(2, glass), 1)).toBe(0)
  expect(workersToAdd(work(2, { ...glass, slicing: 1 }), 1)).toBe(1)
  expect(workersToAdd(work(8, { ...glass, slicing: 1 }), 7)).toBe(5)
  expect(workersToAdd(work(2, { ...glass, slicing: 2 }), 6)).toBe(0)
  // x264 keeps the other core busy, or too little is left.
  expect(workersToAdd(work(2, { ...glass, coresEach: 1.9, slicing: 1 }), 1)).toBe(0)
  expect(workersToAdd(work(8, { ...glass, running: [8], slicing: 1 }), 7)).toBe(0)
})

test('a page that each worker must replay gets fewer of them', () => {
  expect(workersToAdd(work(16, { waiting: segments(4, 120, true) }), 7)).toBe(1)
  expect(workersToAdd(work(16, { waiting: segments(4, 120) }), 7)).toBe(4)
})

test('added workers never make the predicted time longer than it is without them', () => {
  for (const cores of [1, 2, 4, 8, 16])
    for (const coresEach of [1, 1.2, 1.5, 1.9, 3.5])
      for (const count of [1, 2, 5, 20]) {
        const state = work(cores, { coresEach: Math.min(coresEach, cores), waiting: segments(count, 120) })
        for (const some of [state, { ...state, slicing: 1 }])
          expect(timeLeft(some, workersToAdd(some, 7))).toBeLessThanOrEqual(timeLeft(some, 0))
      }
})
