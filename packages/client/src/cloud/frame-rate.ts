import { type FrameRate, readFrameRate } from '@vid/kernel'

/** Rounded numbers that stand for the rates of television. */
const ROUNDED = [23.976, 29.97, 47.952, 59.94, 119.88]

/** A frame rate as the number that the hosted API takes; undefined for a fraction that no number there means. */
export const cloudFps = (fps: FrameRate): number | undefined =>
  typeof fps === 'number' ? fps : ROUNDED.find((rounded) => readFrameRate(rounded) === fps)
