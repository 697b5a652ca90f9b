import { type FrameRate, readFrameRate } from '@vid/kernel'

/** Rounded numbers that stand for the fractional rates of television. */
const ROUNDED = [23.976, 29.97, 47.952, 59.94, 119.88]

/** The number by which the hosted API names a frame rate; undefined for a fraction that no number there stands for. */
export const cloudFps = (fps: FrameRate): number | undefined =>
  typeof fps === 'number' ? fps : ROUNDED.find((rounded) => readFrameRate(rounded) === fps)
