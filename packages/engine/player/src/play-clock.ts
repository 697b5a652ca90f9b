/** Seconds of a device: they go on evenly, from any beginning. */
export type TimeSource = () => number

/** The time of a composition while it plays. */
export interface PlayClock {
  /** Seconds of the composition. */
  now(): number
  /** Continues from a time of the composition, in seconds, at a speed; 0 stands still. */
  set(seconds: number, rate: number): void
  /** Follows another device from where the time is now: that which plays the sound, so that both stay together. */
  follow(source: TimeSource): void
}

/** Seconds of the machine's own clock. */
export const machineClock: TimeSource = () => performance.now() / 1000

/** Creates a clock that stands at 0. */
export const createPlayClock = (first: TimeSource = machineClock): PlayClock => {
  let source = first
  let base = 0
  let rate = 0
  let since = source()
  const now = () => base + (source() - since) * rate
  const set = (seconds: number, speed: number) => {
    base = seconds
    rate = speed
    since = source()
  }
  return {
    now,
    set,
    follow(next) {
      if (next === source) return
      const seconds = now()
      source = next
      set(seconds, rate)
    },
  }
}
