import { type Pace, type PaceStart, paceOf } from '@vid/protocol'

/** Measures how fast something is done, from the first call on; undefined until that is known. */
export const createPace = (now: () => number = () => performance.now()) => {
  let start: PaceStart | undefined
  return (done: number, total: number): Pace | undefined => {
    const current = { ms: now(), done }
    start ??= current
    return paceOf(start, current, total)
  }
}

/** The time that is left, such as `1:05 left`. */
export const leftText = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} left`
}

const BAR_CELLS = 20

/** Such as `[#####---------------]`; ASCII, for any terminal. */
export const bar = (share: number): string => {
  const full = Math.min(BAR_CELLS, Math.floor(share * BAR_CELLS))
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`
}
