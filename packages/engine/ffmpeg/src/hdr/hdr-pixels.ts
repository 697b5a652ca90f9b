import type { Frame } from '@vid/kernel'
import type { Hdr } from '@vid/protocol'
import { fail } from '../errors.ts'
import {
  HLG_PEAK_NITS,
  linearToSrgb,
  luminance2020,
  nitsToPq,
  SDR_WHITE_NITS,
  sceneGain,
  sceneToHlg,
  srgbToLinear,
  to2020,
} from '../probe/transfer-functions.ts'
import { peakSignal } from './sdr-view.ts'
import { type PictureSize, toYuv } from './ycbcr.ts'

/** Entries of a lookup table over linear values, spaced by the fourth root, which is close to what the eye sees. */
const STEPS = 16_384

const tableOf = (evaluate: (linear: number) => number): Float64Array =>
  Float64Array.from({ length: STEPS }, (_, index) => evaluate((index / (STEPS - 1)) ** 4))
const lookUp = (table: Float64Array, linear: number): number =>
  table[Math.round(Math.sqrt(Math.sqrt(Math.min(1, Math.max(0, linear)))) * (STEPS - 1))] ?? 0

/** Writes three signals of 16 bits at an offset, from three values. */
type Encode = (r: number, g: number, b: number, out: Uint16Array, offset: number) => void

/** Encodes colours in a transfer function. */
interface Encoder {
  /** From linear values, where 1 is SDR white. */
  readonly linear: Encode
  /** From codes of 8 bits, whose linear values are in a table. */
  codes(linear: Float64Array): Encode
}

const encoderOf = (transfer: Hdr['transfer']): Encoder => {
  const code = (signal: number) => Math.round(signal * 65_535)
  if (transfer === 'pq') {
    const codes = tableOf((linear) => code(nitsToPq(linear * 10_000)))
    const scale = SDR_WHITE_NITS / 10_000
    return {
      linear: (r, g, b, out, offset) => {
        out[offset] = lookUp(codes, r * scale)
        out[offset + 1] = lookUp(codes, g * scale)
        out[offset + 2] = lookUp(codes, b * scale)
      },
      codes: (linear) => {
        const signals = Uint16Array.from(linear, (value) => lookUp(codes, value * scale))
        return (r, g, b, out, offset) => {
          out[offset] = signals[r] ?? 0
          out[offset + 1] = signals[g] ?? 0
          out[offset + 2] = signals[b] ?? 0
        }
      },
    }
  }
  const codes = tableOf((linear) => code(sceneToHlg(linear)))
  const gains = tableOf(sceneGain)
  const scale = SDR_WHITE_NITS / HLG_PEAK_NITS
  const encode: Encode = (r, g, b, out, offset) => {
    const gain = scale * lookUp(gains, scale * luminance2020([r, g, b]))
    out[offset] = lookUp(codes, r * gain)
    out[offset + 1] = lookUp(codes, g * gain)
    out[offset + 2] = lookUp(codes, b * gain)
  }
  return {
    linear: encode,
    codes: (linear) => (r, g, b, out, offset) => encode(linear[r] ?? 0, linear[g] ?? 0, linear[b] ?? 0, out, offset),
  }
}

/** Converts a captured page to a `yuv420p10` picture. */
export type HdrPainter = (page: Uint8Array, blank?: Uint8Array) => Uint8Array

/**
 * Creates the painter of a plan. `page` is the page in rgba, with HDR videos in their `hdr` view; `blank` is the same
 * page with those videos black. The difference is what the videos add; it is brightened. The rest is sRGB with its
 * white at 203 cd/m². Videos may be scaled, cropped, rotated and half transparent: all of these are linear in their
 * pixels.
 */
export const hdrPainter = (
  { transfer, peak }: Pick<Hdr, 'transfer' | 'peak'>,
  { width, height }: PictureSize,
): HdrPainter => {
  const encoder = encoderOf(transfer)
  const linear = Float64Array.from({ length: 256 }, (_, code) => srgbToLinear(code / 255))
  const gain = peakSignal(peak) / 255
  const encodeVideo = encoder.codes(Float64Array.from({ length: 256 }, (_, code) => srgbToLinear(code * gain)))
  return (page, blank = page) => {
    const signals = new Uint16Array(width * height * 3)
    let last = -1
    let lastBlank = -1
    let from = 0
    for (let offset = 0, to = 0; to < signals.length; offset += 4, to += 3) {
      const [r = 0, g = 0, b = 0] = [page[offset], page[offset + 1], page[offset + 2]]
      const [r0 = 0, g0 = 0, b0 = 0] = [blank[offset], blank[offset + 1], blank[offset + 2]]
      const key = (r << 16) | (g << 8) | b
      const blankKey = (r0 << 16) | (g0 << 8) | b0
      if (key === last && blankKey === lastBlank) {
        signals.copyWithin(to, from, from + 3)
        continue
      }
      ;[last, lastBlank, from] = [key, blankKey, to]
      // Only video: skip the sum, which is the expensive part.
      if (blankKey === 0 && key !== 0) {
        encodeVideo(r, g, b, signals, to)
        continue
      }
      const base = to2020([linear[r0] ?? 0, linear[g0] ?? 0, linear[b0] ?? 0])
      if (key === blankKey) {
        encoder.linear(base[0], base[1], base[2], signals, to)
        continue
      }
      const add = (linear: number, amount: number) => srgbToLinear(Math.max(0, linearToSrgb(linear) + amount * gain))
      encoder.linear(add(base[0], r - r0), add(base[1], g - g0), add(base[2], b - b0), signals, to)
    }
    return toYuv(signals, { width, height })
  }
}

/** Frames of an HDR plan as `yuv420p10`; sRGB frames from an engine without HDR are converted as graphics. */
export async function* hdrFrames(frames: AsyncIterable<Frame>, hdr: Hdr, size: PictureSize): AsyncGenerator<Frame> {
  const paint = hdrPainter(hdr, size)
  let previous: { readonly from: Uint8Array; readonly data: Uint8Array } | undefined
  for await (const frame of frames) {
    if (frame.format === 'yuv420p10') {
      yield frame
      continue
    }
    if (frame.format !== 'rgba') throw fail('VID_FRAMES_HDR', { format: frame.format, wanted: 'HDR' })
    if (previous?.from !== frame.data || !frame.repeat) previous = { from: frame.data, data: paint(frame.data) }
    yield { ...frame, format: 'yuv420p10', data: previous.data }
  }
}
