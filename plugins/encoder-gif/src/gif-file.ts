import { createDither } from './dither.ts'
import { packPixels } from './lzw.ts'
import { createPatches, type Patch } from './patches.ts'

/** Entries of a palette and bytes of one: red, green, blue, alpha. */
export const PALETTE = { entries: 256, bytes: 4 } as const

/** What a gif file is made of. */
export interface GifJob {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly loop: number
  /** Four bytes each of 256 colours, one of them clear. */
  readonly palette: Uint8Array
  /** RGBA pixels. */
  readonly frames: AsyncIterable<Uint8Array>
}

const words = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2)
  return bytes
}

/** A palette of 256 entries for the whole file, square pixels. */
const header = ({ width, height, palette, loop }: GifJob): Buffer => {
  const colours = Buffer.alloc(PALETTE.entries * 3)
  for (let entry = 0; entry < PALETTE.entries; entry++)
    colours.set(palette.subarray(entry * PALETTE.bytes, entry * PALETTE.bytes + 3), entry * 3)
  return Buffer.concat([
    ...[Buffer.from('GIF89a', 'latin1'), words(width, height), Buffer.from([0xf7, 0, 0]), colours],
    ...[Buffer.from([0x21, 0xff, 11]), Buffer.from('NETSCAPE2.0', 'latin1')],
    ...[Buffer.from([3, 1]), words(loop), Buffer.from([0])],
  ])
}

const image = (
  { area, pixels, clears }: Patch,
  { clear, hundredths }: { readonly clear: number; readonly hundredths: number },
): Buffer => {
  const disposal = clears ? 2 : 1
  const { left, top, right, bottom } = area
  return Buffer.concat([
    ...[Buffer.from([0x21, 0xf9, 4, (disposal << 2) | 1]), words(hundredths), Buffer.from([clear, 0])],
    ...[Buffer.from([0x2c]), words(left, top, right - left, bottom - top), Buffer.from([0])],
    packPixels(pixels),
  ])
}

/**
 * The bytes of a gif, frame by frame. Written here, since older ffmpeg leaves trails where a frame is clear and the
 * one before was not. A frame lasts as many hundredths of a second as keep the whole in time.
 */
export async function* gifBytes(job: GifJob): AsyncGenerator<Buffer> {
  const { width, height, fps, palette } = job
  const clear = Array.from({ length: PALETTE.entries }, (_, at) => palette[at * 4 + 3]).indexOf(0)
  const patchOf = createPatches(width, height, clear)
  const dither = createDither(palette, clear, width)
  const timeOf = (frame: number) => Math.round((frame * 100) / fps)
  const pack = (index: number, frame: Uint8Array, next?: Uint8Array) =>
    image(patchOf(frame, next), { clear, hundredths: timeOf(index + 1) - timeOf(index) })
  yield header(job)
  let index = 0
  let waiting: Uint8Array | undefined
  for await (const pixels of job.frames) {
    const frame = dither(pixels)
    if (waiting) yield pack(index++, waiting, frame)
    waiting = frame
  }
  if (waiting) yield pack(index, waiting)
  yield Buffer.from([0x3b])
}
