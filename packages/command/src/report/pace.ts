/** How fast something is done so far, in parts a second, and the estimated seconds for the rest. */
export interface Pace {
  readonly perSecond: number
  readonly left: number
}

/** Measures how fast something is done, from the first call on; undefined until that is known. */
export const createPace = (now: () => number = () => performance.now()) => {
  let from: { readonly ms: number; readonly done: number } | undefined
  return (done: number, total: number): Pace | undefined => {
    const ms = now()
    from ??= { ms, done }
    const perSecond = ((done - from.done) / (ms - from.ms)) * 1000
    return Number.isFinite(perSecond) && perSecond > 0 ? { perSecond, left: (total - done) / perSecond } : undefined
  }
}

/** The time that is left, such as `1:05 left`. */
export const leftText = ({ left }: Pace): string => {
  const whole = Math.ceil(left)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} left`
}

const BAR_CELLS = 20

/** Such as `[#####---------------]`; ASCII, for any terminal. */
export const bar = (share: number): string => {
  const full = Math.min(BAR_CELLS, Math.floor(share * BAR_CELLS))
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`
}
