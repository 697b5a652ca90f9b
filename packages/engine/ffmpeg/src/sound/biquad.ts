/** Coefficients of a filter of second order. */
export interface Biquad {
  readonly b: readonly [number, number, number]
  readonly a: readonly [number, number]
}

/** A filter that keeps its state from sample to sample. */
export const createFilter = ({ b: [b0, b1, b2], a: [a1, a2] }: Biquad) => {
  let one = 0
  let two = 0
  return (sample: number): number => {
    const filtered = b0 * sample + one
    one = b1 * sample - a1 * filtered + two
    two = b2 * sample - a2 * filtered
    return filtered
  }
}
