/** Numbers from 0 up to 1 that look random. */
export type Random = () => number

/** The same numbers for the same seed, on any machine (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A time that varies around its median: about one in twenty is more than e^(2 × spread) times as long or as short. */
export const varied = (median: number, spread: number, random: Random): number => {
  if (spread === 0) return median
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(spread * normal)
}
