/** A part of the picture: `right` and `bottom` are just outside it. */
interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The part of a frame that is drawn over the current picture. */
export interface Patch {
  readonly area: Area
  /** Palette entries of the area's pixels; the transparent entry keeps the current pixel. */
  readonly pixels: Uint8Array
  /** Whether the area is cleared before the next frame. */
  readonly clears: boolean
}

/** The smallest area around all selected pixels; undefined when none is selected. */
const areaOf = (width: number, height: number, isSelected: (pixel: number) => boolean): Area | undefined => {
  let left = width
  let right = 0
  let top = height
  let bottom = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!isSelected(y * width + x)) continue
      // The rest of the row matters only from its right end.
      let end = width - 1
      while (end > x && !isSelected(y * width + end)) end--
      left = Math.min(left, x)
      right = Math.max(right, end + 1)
      top = Math.min(top, y)
      bottom = y + 1
      break
    }
  return bottom === 0 ? undefined : { left, top, right, bottom }
}

const unionOf = (a: Area | undefined, b: Area | undefined): Area | undefined =>
  a && b
    ? {
        left: Math.min(a.left, b.left),
        top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right),
        bottom: Math.max(a.bottom, b.bottom),
      }
    : (a ?? b)

/** Creates the conversion from frames to patches. It needs the next frame too, since a gif clears pixels one frame ahead. */
export const createPatches = (width: number, height: number, clear: number) => {
  const canvas = new Uint8Array(width * height).fill(clear)
  let whole: Area | undefined = { left: 0, top: 0, right: width, bottom: height }
  return (frame: Uint8Array, next: Uint8Array | undefined): Patch => {
    const changedArea = areaOf(width, height, (index) => frame[index] !== canvas[index])
    const clearedArea = next && areaOf(width, height, (index) => next[index] === clear && frame[index] !== clear)
    // Decoders take the size of the picture from the first frame.
    const area = whole ?? unionOf(changedArea, clearedArea) ?? { left: 0, top: 0, right: 1, bottom: 1 }
    whole = undefined
    const columns = area.right - area.left
    const pixels = new Uint8Array(columns * (area.bottom - area.top))
    for (let y = area.top, to = 0; y < area.bottom; y++)
      for (let index = y * width + area.left; index < y * width + area.right; index++, to++) {
        const pixel = frame[index] ?? clear
        pixels[to] = pixel === canvas[index] ? clear : pixel
      }
    canvas.set(frame)
    if (clearedArea)
      for (let y = area.top; y < area.bottom; y++) canvas.fill(clear, y * width + area.left, y * width + area.right)
    return { area, pixels, clears: clearedArea !== undefined }
  }
}
