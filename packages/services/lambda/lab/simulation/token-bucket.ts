/** A limit of AWS on a rate: a burst, and then a number a second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Hands out tokens at a rate; times must not go backwards. */
export interface TokenBucket {
  /** Takes tokens now if they are there. */
  readonly tryTake: (now: number, count?: number) => boolean
  /** Takes tokens as soon as they are there, in the order of asking, and says how many seconds that takes. */
  readonly reserve: (now: number, count?: number) => number
}

/** A full bucket. */
export const createTokenBucket = ({ burst, perSecond }: Rate): TokenBucket => {
  let tokens = burst
  let filledAt = 0
  const fill = (now: number) => {
    tokens = Math.min(burst, tokens + (now - filledAt) * perSecond)
    filledAt = now
  }
  return {
    tryTake: (now, count = 1) => {
      if (!Number.isFinite(perSecond)) return true
      fill(now)
      if (tokens < count) return false
      tokens -= count
      return true
    },
    reserve: (now, count = 1) => {
      if (!Number.isFinite(perSecond)) return 0
      fill(now)
      tokens -= count
      return Math.max(0, -tokens / perSecond)
    },
  }
}
