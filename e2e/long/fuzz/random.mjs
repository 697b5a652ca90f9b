// Random choices that a seed and a number repeat exactly.

/** A source of choices for one input: the same seed and number always choose the same. */
export const randomOf = (seed, number) => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
  }
}
