import { type FrameRate, secondsOf } from '@vid/kernel'
import { createDither } from './dither.ts'
import { packPixels } from './lzw.ts'
import { PALETTE } from './palette-size.ts'
import { createPatches, type Patch } from './patches.ts'

/** Content of a gif file. */
export interface GifJob {
  readonly width: number
  readonly height: number
  readonly fps: FrameRate
  readonly loop: number
  /** 256 RGBA colours, one of them transparent. */
  readonly palette: Uint8Array
  /** RGBA pixels of each frame. */
  readonly frames: AsyncIterable<Uint8Array>
}

const uint16 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

/** Header with a global palette of 256 entries and the loop count. */
const header = ({ width, height, palette, loop }: GifJob): Buffer => {
  const colours = Buffer.alloc(PALETTE.entries * 3)
  for (let entry = 0; entry < PALETTE.entries; entry++)
    colours.set(palette.subarray(entry * PALETTE.bytes, entry * PALETTE.bytes + 3), entry * 3)
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    uint16(width, height),
    Buffer.from([0xf7, 0, 0]),
    colours,
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0', 'latin1'),
    Buffer.from([3, 1]),
    uint16(loop),
    Buffer.from([0]),
  ])
}

const image = (
  { area, pixels, clears }: Patch,
  { clear, hundredths }: { readonly clear: number; readonly hundredths: number },
): Buffer => {
  const disposal = clears ? 2 : 1
  const { left, top, right, bottom } = area
  return Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, (disposal << 2) | 1]),
    uint16(hundredths),
    Buffer.from([clear, 0]),
    Buffer.from([0x2c]),
    uint16(left, top, right - left, bottom - top),
    Buffer.from([0]),
    packPixels(pixels),
  ])
}

/**
 * The bytes of a gif, frame by frame. ffmpeg's own muxer is not used: older versions leave trails where pixels become
 * transparent. Frame durations are rounded to hundredths of a second so that the errors do not add up.
 */
export async function* gifBytes(job: GifJob): AsyncGenerator<Buffer> {
  const { width, height, fps, palette } = job
  const clear = Array.from({ length: PALETTE.entries }, (_, entry) => palette[entry * PALETTE.bytes + 3]).indexOf(0)
  const patchOf = createPatches(width, height, clear)
  const dither = createDither(palette, clear, width)
  const timeOf = (frame: number) => Math.round(secondsOf(frame * 100, fps))
  const pack = (index: number, frame: Uint8Array, next?: Uint8Array) =>
    image(patchOf(frame, next), { clear, hundredths: timeOf(index + 1) - timeOf(index) })
  yield header(job)
  let index = 0
  let previous: Uint8Array | undefined
  for await (const pixels of job.frames) {
    const frame = dither(pixels)
    if (previous) yield pack(index++, previous, frame)
    previous = frame
  }
  if (previous) yield pack(index, previous)
  yield Buffer.from([0x3b])
}
