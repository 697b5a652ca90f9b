import { PALETTE } from './palette-size.ts'

/** Pixels with a lower alpha become transparent. */
const OPAQUE_FROM = 128

/** Clamps a value from -256 to 511, offset by 256, to a byte. */
const TO_BYTE = new Uint8Array(3 * 256).map((_, index) => Math.min(255, Math.max(0, index - 256)))

/** Creates the search for the palette entry nearest to a colour; results are cached. */
const nearestEntry = (palette: Uint8Array, clear: number) => {
  const entries = new Uint16Array(1 << 24)
  return (red: number, green: number, blue: number): number => {
    const key = (red << 16) | (green << 8) | blue
    const cell = entries[key] ?? 0
    if (cell > 0) return cell - 1
    let best = 0
    let least = Infinity
    for (let entry = 0, offset = 0; entry < PALETTE.entries; entry++, offset += PALETTE.bytes) {
      if (entry === clear) continue
      const r = (palette[offset] ?? 0) - red
      const g = (palette[offset + 1] ?? 0) - green
      const b = (palette[offset + 2] ?? 0) - blue
      const distance = r * r + g * g + b * b
      if (distance < least) [best, least] = [entry, distance]
    }
    entries[key] = best + 1
    return best
  }
}

/**
 * Creates the conversion from RGBA pixels to palette entries with Sierra Lite dithering: half of a pixel's error goes to
 * the right, a quarter down and a quarter down to the left. ffmpeg's is not used: older builds lose transparent pixels.
 */
export const createDither = (palette: Uint8Array, clear: number, width: number) => {
  const nearest = nearestEntry(palette, clear)
  // Errors of this row and the next: three channels per pixel, with one pixel of margin on both sides.
  const rows = [new Int16Array((width + 2) * 3), new Int16Array((width + 2) * 3)] as const
  return (pixels: Uint8Array): Uint8Array => {
    const entries = new Uint8Array(pixels.length / 4)
    let [currentRow, nextRow] = rows
    currentRow.fill(0)
    for (let from = 0; from < entries.length; from += width) {
      nextRow.fill(0)
      for (let x = 0; x < width; x++) {
        const offset = (from + x) * 4
        if ((pixels[offset + 3] ?? 0) < OPAQUE_FROM) {
          entries[from + x] = clear
          continue
        }
        const error = (x + 1) * 3
        const red = TO_BYTE[(pixels[offset] ?? 0) + (currentRow[error] ?? 0) + 256] ?? 0
        const green = TO_BYTE[(pixels[offset + 1] ?? 0) + (currentRow[error + 1] ?? 0) + 256] ?? 0
        const blue = TO_BYTE[(pixels[offset + 2] ?? 0) + (currentRow[error + 2] ?? 0) + 256] ?? 0
        const entry = nearest(red, green, blue)
        entries[from + x] = entry
        for (let channel = 0; channel < 3; channel++) {
          const target = channel === 0 ? red : channel === 1 ? green : blue
          const rest = target - (palette[entry * PALETTE.bytes + channel] ?? 0)
          const quarter = rest >> 2
          currentRow[error + 3 + channel] = (currentRow[error + 3 + channel] ?? 0) + (rest >> 1)
          nextRow[error + channel] = (nextRow[error + channel] ?? 0) + quarter
          nextRow[error - 3 + channel] = (nextRow[error - 3 + channel] ?? 0) + quarter
        }
      }
      ;[currentRow, nextRow] = [nextRow, currentRow]
    }
    return entries
  }
}
