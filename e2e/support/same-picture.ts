import { decodePng } from '@vid/testkit'

/** How far two pictures of one size differ. */
export interface Difference {
  /** Pixels that differ. */
  readonly pixels: number
  /** The largest difference of a channel. */
  readonly most: number
}

/** How far two PNG files of one size differ. */
export const differenceOf = (one: Uint8Array, other: Uint8Array): Difference => {
  const a = decodePng(one)
  const b = decodePng(other)
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`${a.width}×${a.height} and ${b.width}×${b.height} cannot be compared`)
  let pixels = 0
  let most = 0
  const distance = (offset: number) => Math.abs((a.data[offset] ?? 0) - (b.data[offset] ?? 0))
  for (let offset = 0; offset < a.data.length; offset += 4) {
    const largest = Math.max(distance(offset), distance(offset + 1), distance(offset + 2))
    if (largest > 0) pixels += 1
    if (largest > most) most = largest
  }
  return { pixels, most }
}
