import type { CaptureSession } from '@vid/kernel'
import { type FrameRate, framesIn } from '@vid/protocol'
import type { ImageLane } from './lane-choice.ts'

/** Shorter compositions would be captured before the measurement has paid off. */
const MIN_MEASURED_FRAMES = 90

/** Frames that are measured, after a first one, which also loads and compiles. */
const MEASURED_FRAMES = 8

/** A page that is this slow in one lane is measured by fewer frames. */
const MAX_MEASURED_MS = 2000

/** Screenshots must be this much faster to be chosen: frames drawn on command cost least while nothing moves. */
const MIN_GAIN = 1.15

/** Whether screenshots are clearly faster than frames drawn on command, by the milliseconds for a frame of each. */
export const isFasterByScreenshots = (commandedMs: number, screenshotMs: number): boolean =>
  screenshotMs * MIN_GAIN < commandedMs

/** Milliseconds for each of the first frames of a page. */
const measure = async (session: CaptureSession): Promise<number> => {
  const range = { index: 0, start: 0, frames: MEASURED_FRAMES + 1 }
  let started = performance.now()
  let frames = 0
  for await (const { index } of session.frames(range, ['jpeg', 'png'])) {
    frames = index
    if (index === 0) started = performance.now()
    if (performance.now() - started > MAX_MEASURED_MS) break
  }
  return (performance.now() - started) / Math.max(frames, 1)
}

/** A session in the lane that was chosen for it. */
export interface FastestLane {
  readonly session: CaptureSession
  readonly lane: ImageLane
}

/** Opens a page by `open`, drawn on command or by screenshots: a long composition in the lane whose first frames are faster. */
export const openFastestLane = async (
  open: (kind: ImageLane) => Promise<CaptureSession>,
  fps: FrameRate,
): Promise<FastestLane> => {
  const commanded: FastestLane = { session: await open('begin-frame'), lane: 'begin-frame' }
  const opened = [commanded]
  try {
    const { duration } = await commanded.session.probe()
    if (duration === null || framesIn(duration, fps) < MIN_MEASURED_FRAMES) return commanded
    const commandedMs = await measure(commanded.session)
    const screenshots: FastestLane = { session: await open('screenshot'), lane: 'screenshot' }
    opened.push(screenshots)
    const isFaster = isFasterByScreenshots(commandedMs, await measure(screenshots.session))
    const [fastest, other] = isFaster ? [screenshots, commanded] : [commanded, screenshots]
    await other.session.close()
    return fastest
  } catch (error) {
    await Promise.allSettled(opened.map(({ session }) => session.close()))
    throw error
  }
}
