/** Bits per pixel: the palette has 256 entries. */
const PIXEL_BITS = 8
const CLEAR = 1 << PIXEL_BITS
const END = CLEAR + 1
const MAX_BITS = 12
const BLOCK = 255

/** Packs codes of variable width, least significant bit first, into a gif's blocks of at most 255 bytes. */
const blockWriter = (capacity: number) => {
  let out = Buffer.allocUnsafe(capacity)
  let offset = 1
  let blockAt = 0
  let bits = 0
  let bitCount = 0
  const closeBlock = () => {
    const size = offset - blockAt - 1
    if (size === 0) return
    out[blockAt] = size
    blockAt = offset++
    if (offset + BLOCK + 1 < out.length) return
    const larger = Buffer.allocUnsafe(out.length * 2)
    out.copy(larger)
    out = larger
  }
  const byte = (value: number) => {
    out[offset++] = value
    if (offset - blockAt > BLOCK) closeBlock()
  }
  return {
    code(value: number, width: number) {
      bits |= value << bitCount
      bitCount += width
      while (bitCount >= 8) {
        byte(bits & 255)
        bits >>>= 8
        bitCount -= 8
      }
    },
    end(): Buffer {
      if (bitCount > 0) byte(bits & 255)
      closeBlock()
      out[blockAt] = 0
      return out.subarray(0, blockAt + 1)
    },
  }
}

/**
 * The code table, 4 MiB of scratch memory. Owned by the process, since packing an image is synchronous; an entry is
 * valid only in the generation that wrote it, so that clearing the table is cheap.
 */
const table = new Int32Array(1 << (MAX_BITS + PIXEL_BITS))
const GENERATIONS = 1 << (31 - MAX_BITS)
let generation = 0

const nextGeneration = () => {
  generation += 1
  if (generation < GENERATIONS) return
  table.fill(0)
  generation = 1
}

/** Image data of a gif: the bits per pixel, then the LZW codes in blocks. */
export const packPixels = (pixels: Uint8Array): Buffer => {
  const writer = blockWriter(Math.max(1024, pixels.length >> 1))
  let width = PIXEL_BITS + 1
  let next = END + 1
  let prefix = pixels[0] ?? 0
  nextGeneration()
  writer.code(CLEAR, width)
  for (let index = 1; index < pixels.length; index++) {
    const pixel = pixels[index] ?? 0
    const key = (prefix << PIXEL_BITS) | pixel
    const entry = table[key] ?? 0
    if (entry >>> MAX_BITS === generation) {
      prefix = entry & ((1 << MAX_BITS) - 1)
      continue
    }
    writer.code(prefix, width)
    prefix = pixel
    if (next < 1 << MAX_BITS) {
      if (next === 1 << width) width += 1
      table[key] = (generation << MAX_BITS) | next++
    } else {
      writer.code(CLEAR, width)
      nextGeneration()
      width = PIXEL_BITS + 1
      next = END + 1
    }
  }
  writer.code(prefix, width)
  writer.code(END, width)
  return Buffer.concat([Buffer.from([PIXEL_BITS]), writer.end()])
}
