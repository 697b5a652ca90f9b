import { expect, test } from 'vitest'
import { captureText } from './capture-text.ts'

test('the frames of each lane are named, and that nothing was captured', () => {
  const frame = (number: number, lane: string | null) => ({ frame: number, lane })
  expect(captureText([frame(0, 'raster'), frame(30, 'screenshot'), frame(59, 'raster')])).toBe(
    'Frames 0, 59: captured in the fast lane. Frame 30: captured in the slowest lane, screenshots.',
  )
  expect(captureText([frame(7, null)])).toBe('Frame 7: captured.')
  expect(captureText([])).toBe('Nothing could be captured.')
})
