/** Requests that running calls make, against a rate of S3. */
export interface RequestLoad {
  /** Adds a call with its rate of requests, and returns the factor by which throttling slows it. */
  readonly add: (perSecond: number) => number
  readonly remove: (perSecond: number) => void
}

/** Calls spread their requests over their time: beyond the rate, a new call takes longer in proportion. */
export const createRequestLoad = (limit: number): RequestLoad => {
  let load = 0
  return {
    add: (perSecond) => {
      load += perSecond
      return Math.max(1, load / limit)
    },
    remove: (perSecond) => {
      load -= perSecond
    },
  }
}
