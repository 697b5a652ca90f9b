import { decodePng } from '@vid/testkit'

/** How far two PNG files of one size differ: pixels that do, and the largest difference of a channel. */
export const differenceOf = (one: Uint8Array, other: Uint8Array): { pixels: number; most: number } => {
  const a = decodePng(one)
  const b = decodePng(other)
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`${a.width}×${a.height} and ${b.width}×${b.height} cannot be compared`)
  let pixels = 0
  let most = 0
  for (let offset = 0; offset < a.data.length; offset += 4) {
    const far = [0, 1, 2].map((channel) => Math.abs((a.data[offset + channel] ?? 0) - (b.data[offset + channel] ?? 0)))
    const largest = Math.max(...far)
    if (largest > 0) pixels += 1
    most = Math.max(most, largest)
  }
  return { pixels, most }
}
