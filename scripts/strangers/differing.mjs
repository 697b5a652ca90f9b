// How much of a picture is unlike another one, as far as an eye would notice.

/** Levels of luma by which a pixel has to differ from all around it, so that edges half a pixel off do not count. */
const LEVELS = 48

const lumaOf = ({ width, height, data }) => {
  const luma = new Float32Array(width * height)
  for (let index = 0; index < luma.length; index++) {
    const [red, green, blue] = data.subarray(index * 4, index * 4 + 3)
    luma[index] = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  return { width, height, luma }
}

/** The part of the pixels that differ, from 0 to 1: those unlike each of the nine pixels around them in the other picture. */
export const differingPart = (one, other) => {
  const [first, second] = [lumaOf(one), lumaOf(other)]
  const { width, height } = first
  if (second.width !== width || second.height !== height) return 1
  let count = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = first.luma[y * width + x]
      let least = 255
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
          least = Math.min(least, Math.abs(second.luma[row * width + column] - value))
      if (least > LEVELS) count++
    }
  return count / (width * height)
}
