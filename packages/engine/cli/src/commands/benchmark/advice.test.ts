import { expect, test } from 'vitest'
import { adviceOn, type Measured } from './advice.ts'

const measured = (workers: Measured['workers'], wallMs: number, spreadMs = 100): Measured => ({
  quality: 'draft',
  workers,
  frames: 180,
  wallMs,
  spreadMs,
  bytes: 1,
  fps: 180_000 / wallMs,
  realtime: 6000 / wallMs,
  captureMs: 1,
  encodeMs: 1,
})

test('the number of workers that was fastest is recommended, with what the others took', () => {
  expect(adviceOn([measured('auto', 16_500), measured(1, 16_400), measured(2, 12_900)])).toEqual([
    'fastest: --quality draft --workers 2 (12.90 s; auto: 16.50 s, 1: 16.40 s)',
  ])
})

test('nothing is recommended over auto, or over fewer workers, that is faster by chance', () => {
  const equal = '; what differs by less than the runs do counts as equal'
  expect(adviceOn([measured(2, 12_900), measured('auto', 13_100), measured(1, 16_400)])).toEqual([
    `fastest: --quality draft --workers auto (13.10 s; 2: 12.90 s, 1: 16.40 s)${equal}`,
  ])
  expect(adviceOn([measured(2, 12_900), measured(1, 14_000, 3_000)])).toEqual([
    `fastest: --quality draft --workers 1 (14.00 s; 2: 12.90 s)${equal}`,
  ])
})

test('each quality has advice of its own, and a single kind has none', () => {
  const draft = [measured(1, 2_000), measured(2, 1_000)]
  const high = draft.map((measurement) => ({
    ...measurement,
    quality: 'high' as const,
    wallMs: measurement.wallMs * 3,
  }))
  expect(adviceOn([...draft, ...high]).map((line) => line.slice(0, 42))).toEqual([
    'fastest: --quality draft --workers 2 (1.00',
    'fastest: --quality high --workers 2 (3.00 ',
  ])
  expect(adviceOn([measured(1, 2_000)])).toEqual([])
})
