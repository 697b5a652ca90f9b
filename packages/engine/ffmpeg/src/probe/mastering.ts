import { type Static, Type, Value } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { ERRORS_ONLY } from '../tools/process.ts'
import { readMedia } from './media-read.ts'

const Fraction = Type.Optional(Type.String({ pattern: '^\\d+/\\d+$' }))
const Side = Type.Object({
  side_data_type: Type.Optional(Type.String()),
  red_x: Fraction,
  red_y: Fraction,
  green_x: Fraction,
  green_y: Fraction,
  blue_x: Fraction,
  blue_y: Fraction,
  white_point_x: Fraction,
  white_point_y: Fraction,
  max_luminance: Fraction,
  min_luminance: Fraction,
  max_content: Type.Optional(Type.Integer()),
  max_average: Type.Optional(Type.Integer()),
})
const Sides = Type.Optional(Type.Array(Side))
const Printed = Type.Object({
  frames: Type.Array(Type.Object({ side_data_list: Sides })),
  streams: Type.Array(Type.Object({ side_data_list: Sides })),
})

/** HDR metadata of a stream; what the stream does not state is absent. */
export interface Mastering {
  /** Mastering display in x265's notation, as in a plan's `hdr`. */
  readonly mastering?: string
  /** Peak luminance of that display, cd/m². */
  readonly displayPeak?: number
  readonly maxCll?: number
  readonly maxFall?: number
}

const times = (fraction: string | undefined, unit: number): number => {
  const [num = 0, den = 1] = (fraction ?? '0/1').split('/').map(Number)
  return den === 0 ? 0 : Math.round((num / den) * unit)
}

const displayOf = (side: Static<typeof Side>): string => {
  const point = (x: string | undefined, y: string | undefined) => `(${times(x, 50_000)},${times(y, 50_000)})`
  return [
    `G${point(side.green_x, side.green_y)}B${point(side.blue_x, side.blue_y)}R${point(side.red_x, side.red_y)}`,
    `WP${point(side.white_point_x, side.white_point_y)}`,
    `L(${times(side.max_luminance, 10_000)},${times(side.min_luminance, 10_000)})`,
  ].join('')
}

/** Reads the mastering display and the content light level of a stream, from its container or its first frame. */
export const readMastering = async (
  file: string,
  stream: number,
  { ffprobe }: Pick<FfmpegTools, 'ffprobe'>,
  signal?: AbortSignal,
): Promise<Mastering> => {
  const frame = ['-select_streams', `${stream}`, '-read_intervals', '%+#1', '-show_frames', '-show_streams']
  const before = [...ERRORS_ONLY, ...frame, '-of', 'json']
  const read = await readMedia({ program: ffprobe, before, file }, signal)
  const json: unknown = JSON.parse(read.stdout)
  if (!Value.Check(Printed, json))
    throw fail('VID_FFMPEG_PROBE', { file, reason: 'ffprobe printed something unexpected.' })
  const sides = [...json.frames, ...json.streams].flatMap((entry) => entry.side_data_list ?? [])
  const display = sides.find((side) => side.max_luminance !== undefined && side.red_x !== undefined)
  const level = sides.find((side) => side.max_content !== undefined)
  return {
    ...(display && {
      mastering: displayOf(display),
      displayPeak: times(display.max_luminance, 10_000) / 10_000,
    }),
    ...(level?.max_content && { maxCll: level.max_content }),
    ...(level?.max_average && { maxFall: level.max_average }),
  }
}
