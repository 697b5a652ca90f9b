import { expect, test } from 'vitest'
import { frameTimes } from './frame-times.ts'

test.each([
  [30, 1, 6, 180],
  [30000, 1001, 1, 30],
  [24, 1, 0.01, 1],
])(
  'at %d / %d frames in a second, %d s have %d frames, and each time leads back to its frame',
  (fps, fpsDivisor, seconds, count) => {
    const times = frameTimes({ fps, fpsDivisor }, seconds)
    expect(times.count).toBe(count)
    for (let frame = 0; frame < count; frame++) expect(times.frameAt(times.timeOf(frame))).toBe(frame)
    expect(times.clamp(-3)).toBe(0)
    expect(times.clamp(Number.NaN)).toBe(0)
    expect(times.clamp(count + 7)).toBe(count - 1)
  },
)
