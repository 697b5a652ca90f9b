/** The playback settings of a Lottie animation. */
export interface LottieRun {
  readonly frames: number
  /** Frames per second, with the speed in it; negative backwards. */
  readonly rate: number
  /** How often it plays; Infinity when it loops endlessly. */
  readonly plays: number
}

/** The frame that is shown after some seconds; the player ends on its last whole frame. */
export const lottieFrameAt = ({ frames, rate, plays }: LottieRun, seconds: number): number => {
  const passed = seconds * Math.abs(rate)
  const isOver = passed >= frames * plays - 1
  const forward = isOver ? frames - 1 : passed % frames
  return Math.max(0, rate < 0 ? frames - 1 - forward : forward)
}

/** Seconds until it stops; Infinity when it never does. */
export const lengthOfRun = ({ frames, rate, plays }: LottieRun): number =>
  rate === 0 ? Infinity : (frames * plays) / Math.abs(rate)
