import { decodeFrames } from '@vid/ffmpeg'

/** A filled rectangle that a frame should show, in pixels; `colour` is `#rrggbb`. */
export interface Patch {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly colour: string
}

/** Decoded frames of a video as red, green and blue bytes. */
export const colourFrames = async (file: string): Promise<Uint8Array[]> => {
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) frames.push(frame)
  return frames
}

/** How far a point may be from every edge and still be blurred by chroma that two pixels share. */
const BLUR = 4

/** Largest difference in a channel that encoding may cause. */
const TOLERANCE = 16

const channels = (colour: string): number[] =>
  [1, 3, 5].map((offset) => Number.parseInt(colour.slice(offset, offset + 2), 16))

/** Compares a frame with patches painted one over the other on black; gives what differs, in words. */
export const differences = (frame: Uint8Array, patches: readonly Patch[], width = 320, height = 180): string[] => {
  const wrong: string[] = []
  const isNear = (position: number, edge: number) => Math.abs(position - edge) < BLUR
  for (let y = 2; y < height; y += 3)
    for (let x = 2; x < width; x += 3) {
      const onEdge = patches.some(
        (p) =>
          ((isNear(x, p.x) || isNear(x, p.x + p.w)) && y > p.y - BLUR && y < p.y + p.h + BLUR) ||
          ((isNear(y, p.y) || isNear(y, p.y + p.h)) && x > p.x - BLUR && x < p.x + p.w + BLUR),
      )
      if (onEdge) continue
      const top = patches.findLast((p) => x >= p.x && x < p.x + p.w && y >= p.y && y < p.y + p.h)
      const expected = channels(top?.colour ?? '#000000')
      const pixel = [0, 1, 2].map((channel) => frame[(y * width + x) * 3 + channel] ?? 0)
      if (pixel.some((value, channel) => Math.abs(value - (expected[channel] ?? 0)) > TOLERANCE))
        wrong.push(`(${x}, ${y}) is ${pixel}, expected ${expected}`)
    }
  return wrong
}
