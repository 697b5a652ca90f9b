import { decodeFrames } from '@vid/ffmpeg'

/** Decoded frames of a video as grey pixels, one byte each. */
export const greyFrames = async (file: string): Promise<Uint8Array[]> => {
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'gray' })) frames.push(frame)
  return frames
}

/** The number that a frame of `projects/frame-number` shows in its blocks. */
export const shownNumber = (frame: Uint8Array, width = 320): number =>
  Array.from({ length: 12 }, (_, bit) => ((frame[50 * width + 20 + bit * 25] ?? 0) > 128 ? 1 << bit : 0)).reduce(
    (a, b) => a + b,
    0,
  )

/** Middle of the bright run in one row of a frame, or -1 when the row is dark. */
export const brightMiddle = (frame: Uint8Array, row: number, width = 320): number => {
  const bright = Array.from(frame.subarray(row * width, (row + 1) * width), (value, x) =>
    value > 128 ? x : -1,
  ).filter((x) => x >= 0)
  const first = bright[0]
  const last = bright.at(-1)
  return first === undefined || last === undefined ? -1 : (first + last) / 2
}
