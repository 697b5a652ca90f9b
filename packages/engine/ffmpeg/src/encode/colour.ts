import type { FrameFormat } from '@vid/kernel'
import { fail } from '../errors.ts'

/** Scaler flags for correct rounding and equal results on every CPU. */
const SWS_FLAGS = 'flags=area+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact'

/** Range and matrix of each captured format: browsers write JPEG as full-range bt601, and RGB is full range. */
const SOURCES: Readonly<Record<Exclude<FrameFormat, 'yuv420p' | 'yuva420p' | 'yuv420p10'>, string>> = {
  rgba: 'in_range=full',
  png: 'in_range=full',
  jpeg: 'in_range=full:in_color_matrix=bt601',
}

const TO_BT709 = `scale=out_color_matrix=bt709:out_range=tv:${SWS_FLAGS},format=yuv420p`

/** Filters that repeat the edges of an odd size, so that both sides are even. */
export const evenPad = (width: number, height: number): string[] => {
  const right = width % 2
  const bottom = height % 2
  return right + bottom === 0
    ? []
    : [`pad=${width + right}:${height + bottom}`, `fillborders=right=${right}:bottom=${bottom}:mode=smear`]
}

/** A filter for `-vf` that only makes the size even, for planar frames that need no conversion. */
export const evenFilter = (width: number, height: number, format: string): string =>
  [...evenPad(width, height), `format=${format}`].join(',')

/** A filter for `-vf` from sRGB frames to limited-range bt709 yuv420p; an odd size is padded by repeating its edge. */
export const bt709Filter = (format: FrameFormat, width: number, height: number): string => {
  if (format === 'yuv420p10') throw fail('VID_FRAMES_HDR', { format, wanted: 'SDR' })
  const pad = evenPad(width, height)
  // Raw yuv420p is bt709 already, and its chroma planes have the even size.
  if (format === 'yuv420p' || format === 'yuva420p') return evenFilter(width, height, 'yuv420p')
  if (pad.length === 0 && format !== 'jpeg') return TO_BT709.replace('scale=', `scale=${SOURCES[format]}:`)
  return [`scale=${SOURCES[format]}:${SWS_FLAGS}`, 'format=gbrp', ...pad, TO_BT709].join(',')
}

/**
 * A filter for `-vf` from sRGB frames with straight alpha, rgba or png, to limited-range bt709 with an alpha plane.
 * Colour and alpha are converted separately: newer scalers round alpha up when they convert both together.
 */
export const bt709AlphaFilter = (pixFmt: 'yuva420p' | 'yuva444p10le'): string => {
  const opaque = pixFmt.replace('yuva', 'yuv')
  const toColour = `${TO_BT709.replace('scale=', `scale=${SOURCES.rgba}:`).replace('yuv420p', opaque)}`
  const toAlpha = `alphaextract,scale=in_range=full:out_range=full:${SWS_FLAGS},format=${opaque}`
  // PNG images of opaque pages have no alpha channel.
  return `format=rgba,split[c][m];[c]${toColour}[v];[m]${toAlpha}[a];[v][a]mergeplanes=0x00010210:${pixFmt}`
}

/** Output options that tag a stream as limited-range bt709. */
export const bt709Tags: readonly string[] = [
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-colorspace',
  'bt709',
  '-color_range',
  'tv',
]

/** A filter for `-vf` that makes a yuv420p picture smaller; both sides are even. */
export const shrinkFilter = (width: number, height: number): string => `scale=${width}:${height}:${SWS_FLAGS}`
