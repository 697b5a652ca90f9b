import { measuredCodecs, measuredFrames } from './measured-frames.ts'

/** The assumption: a still composition, the middle, or one that changes everywhere in each frame. */
export type Level = 'low' | 'expected' | 'high'

/** Picture sizes of the measurements, 1920 × 1080 and 3840 × 2160, in megapixels. */
const SIZES = [2.0736, 8.2944] as const

/** Scales a measured figure to another size, with the power law through the two measured sizes. */
const scaled = ([small, large]: readonly [number, number], megapixels: number): number => {
  const power = Math.log(large / small) / Math.log(SIZES[1] / SIZES[0])
  return small * (megapixels / SIZES[0]) ** Math.max(0, power)
}

/** The measured format that encodes frames as a format does. */
const measuredName = (format: string): string => (format === 'hls' ? 'mp4' : format)

/** Formats without measurements are treated as images, which are captured and hardly encoded. */
const measuredOf = (format: string) => measuredFrames[measuredName(format)] ?? measuredFrames['png-sequence']

/** Whether frames of a format were measured. */
export const isMeasured = (format: string): boolean => Object.hasOwn(measuredFrames, measuredName(format))

const atLevel = ({ low, high }: { readonly low: number; readonly high: number }, level: Level): number =>
  level === 'low' ? low : level === 'high' ? high : (low + high) / 2

/** Processor seconds that the codec of a frame takes more than H.264; in proportion to the number of pixels. */
const codecSeconds = (codec: string | undefined, megapixels: number, level: Level): number => {
  const more = measuredCodecs[codec ?? '']
  return more ? (atLevel(more, level) * megapixels) / SIZES[0] : 0
}

const figure = (format: string, kind: 'cpuSeconds' | 'bytes', megapixels: number, level: Level): number => {
  const measured = measuredOf(format)?.[kind]
  if (!measured) return 0
  const low = scaled(measured.low, megapixels)
  const high = scaled(measured.high, megapixels)
  return atLevel({ low, high }, level)
}

/** The format of segments before the join: those of gif are images, which the join encodes. */
const captured = (format: string): string => (format === 'gif' ? 'png-sequence' : format)

/** Processor seconds for capturing and encoding a frame; `codec` is that of an mp4 or hls video. */
export const frameSeconds = (format: string, megapixels: number, level: Level, codec?: string): number =>
  figure(captured(format), 'cpuSeconds', megapixels, level) +
  (measuredName(format) === 'mp4' ? codecSeconds(codec, megapixels, level) : 0)

/** Processor seconds for joining a frame; negligible except for gif. */
export const joinSeconds = (format: string, megapixels: number, level: Level): number =>
  format === 'gif'
    ? Math.max(0, figure('gif', 'cpuSeconds', megapixels, level) - frameSeconds('gif', megapixels, level))
    : 0

/** Bytes of a frame in its segment, and in the result. */
export const estimatedFrameBytes = (format: string, megapixels: number, level: Level) => ({
  segment: figure(captured(format), 'bytes', megapixels, level),
  result: figure(format, 'bytes', megapixels, level),
})
