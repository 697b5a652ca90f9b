// How much of a picture is unlike another one, as far as an eye would notice.

/** Levels by which a value has to differ from all around it, so that edges half a pixel off do not count. */
const LEVELS = 48

/** Pixels on a side of the blocks in which colours are compared: an edge a pixel off changes the mean of one by an eighth. */
const BLOCK = 8

/** The luma of each pixel. */
const lumaOf = ({ width, height, data }) => {
  const values = new Float32Array(width * height)
  for (let index = 0; index < values.length; index++) {
    const at = index * 4
    values[index] = 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]
  }
  return { width, height, values }
}

/** The mean of a channel in each block. */
const meansOf = ({ width, height, data }, channel) => {
  const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)]
  const [sums, counts] = [new Float32Array(columns * rows), new Float32Array(columns * rows)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const block = Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK)
      sums[block] += data[(y * width + x) * 4 + channel]
      counts[block] += 1
    }
  return { width: columns, height: rows, values: sums.map((sum, block) => sum / counts[block]) }
}

/** The part of the values that are unlike each of the nine around their place in the other plane. */
const unlikePart = (first, second) => {
  const { width, height } = first
  let count = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = first.values[y * width + x]
      let least = Math.abs(second.values[y * width + x] - value)
      // Most are as they were; only for the others those around them are looked at.
      if (least <= LEVELS) continue
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
          least = Math.min(least, Math.abs(second.values[row * width + column] - value))
      if (least > LEVELS) count++
    }
  return count / (width * height)
}

/** The part of a picture of 4 bytes a pixel that differs from another one, from 0 to 1: by its luma, or by a colour. */
export const differingPart = (one, other) => {
  if (one.width !== other.width || one.height !== other.height) return 1
  const colours = [0, 1, 2].map((channel) => unlikePart(meansOf(one, channel), meansOf(other, channel)))
  return Math.max(unlikePart(lumaOf(one), lumaOf(other)), ...colours)
}
