import { type FrameRate, ratioOf } from '@vid/protocol'

/** Time scales below this are multiplied, so that sound and players have fine enough units. */
const FINE = 10_000

/** A time scale for mp4 and mov in which every frame time is a whole number. */
export const frameTimescale = (fps: FrameRate): number => {
  const { num } = ratioOf(fps)
  return num < FINE ? num * 512 : num
}
