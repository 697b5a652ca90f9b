import type { Frame, Hdr } from '@vid/kernel'
import { fail } from '../errors.ts'
import { headroom } from './sdr-view.ts'
import {
  HLG_PEAK,
  linearToSrgb,
  luminance2020,
  nitsToPq,
  sceneGain,
  sceneToHlg,
  srgbToLinear,
  to2020,
  WHITE,
} from './transfer-functions.ts'
import { type PictureSize, toYuv } from './ycbcr.ts'

/** Entries of a table over light: by its fourth root, which is about as the eye sees. */
const STEPS = 16_384

const table = (of: (light: number) => number): Float64Array =>
  Float64Array.from({ length: STEPS }, (_, at) => of((at / (STEPS - 1)) ** 4))
const lookUp = (values: Float64Array, light: number): number =>
  values[Math.round(Math.sqrt(Math.sqrt(Math.min(1, Math.max(0, light)))) * (STEPS - 1))] ?? 0

/** Turns light in shares of white to the signals of a curve, 0 … 65535. */
const encoderOf = (transfer: Hdr['transfer']) => {
  const code = (signal: number) => Math.round(signal * 65_535)
  if (transfer === 'pq') {
    const codes = table((light) => code(nitsToPq(light * 10_000)))
    const scale = WHITE / 10_000
    return (r: number, g: number, b: number, out: Uint16Array, at: number) => {
      out[at] = lookUp(codes, r * scale)
      out[at + 1] = lookUp(codes, g * scale)
      out[at + 2] = lookUp(codes, b * scale)
    }
  }
  const codes = table((light) => code(sceneToHlg(light)))
  const gains = table(sceneGain)
  const scale = WHITE / HLG_PEAK
  return (r: number, g: number, b: number, out: Uint16Array, at: number) => {
    const gain = scale * lookUp(gains, scale * luminance2020([r, g, b]))
    out[at] = lookUp(codes, r * gain)
    out[at + 1] = lookUp(codes, g * gain)
    out[at + 2] = lookUp(codes, b * gain)
  }
}

/** Makes `yuv420p10` pictures of one plan. */
export type LightPainter = (page: Uint8Array, blank?: Uint8Array) => Uint8Array

/**
 * Makes the painter of a plan. `page` is the page in rgba, with HDR videos in their `hdr` look; `blank` the same with
 * those videos black. Their difference is what the videos add, which is brightened; the rest is sRGB, its white at 203
 * cd/m². Videos may be scaled, cut, turned and half transparent: all that is linear in their pixels.
 */
export const lightPainter = (
  { transfer, peak }: Pick<Hdr, 'transfer' | 'peak'>,
  { width, height }: PictureSize,
): LightPainter => {
  const encode = encoderOf(transfer)
  const linear = Float64Array.from({ length: 256 }, (_, code) => srgbToLinear(code / 255))
  const gain = headroom(peak) / 255
  const bare = Float64Array.from({ length: 256 }, (_, code) => srgbToLinear(code * gain))
  return (page, blank = page) => {
    const signals = new Uint16Array(width * height * 3)
    let [last, lastBlank, from] = [-1, -1, 0]
    for (let at = 0, to = 0; to < signals.length; at += 4, to += 3) {
      const [r = 0, g = 0, b = 0] = [page[at], page[at + 1], page[at + 2]]
      const [r0 = 0, g0 = 0, b0 = 0] = [blank[at], blank[at + 1], blank[at + 2]]
      const [key, blankKey] = [(r << 16) | (g << 8) | b, (r0 << 16) | (g0 << 8) | b0]
      if (key === last && blankKey === lastBlank) {
        signals.copyWithin(to, from, from + 3)
        continue
      }
      ;[last, lastBlank, from] = [key, blankKey, to]
      // Nothing but video: no sum, which costs most.
      if (blankKey === 0 && key !== 0) {
        encode(bare[r] ?? 0, bare[g] ?? 0, bare[b] ?? 0, signals, to)
        continue
      }
      const ground = to2020([linear[r0] ?? 0, linear[g0] ?? 0, linear[b0] ?? 0])
      if (key === blankKey) {
        encode(ground[0], ground[1], ground[2], signals, to)
        continue
      }
      const lit = (light: number, added: number) =>
        srgbToLinear(Math.max(0, linearToSrgb(light) + added * gain))
      encode(lit(ground[0], r - r0), lit(ground[1], g - g0), lit(ground[2], b - b0), signals, to)
    }
    return toYuv(signals, { width, height })
  }
}

/** Frames of an HDR plan as `yuv420p10`; those of an engine that knows only sRGB are taken as graphics. */
export async function* lightFrames(
  frames: AsyncIterable<Frame>,
  hdr: Hdr,
  size: PictureSize,
): AsyncGenerator<Frame> {
  const paint = lightPainter(hdr, size)
  let before: { readonly from: Uint8Array; readonly data: Uint8Array } | undefined
  for await (const frame of frames) {
    if (frame.format === 'yuv420p10') {
      yield frame
      continue
    }
    if (frame.format !== 'rgba') throw fail('VID_FRAMES_HDR', { format: frame.format, wanted: 'HDR' })
    if (before?.from !== frame.data || !frame.repeat) before = { from: frame.data, data: paint(frame.data) }
    yield { ...frame, format: 'yuv420p10', data: before.data }
  }
}
