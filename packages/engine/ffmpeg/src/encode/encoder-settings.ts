import { type Static, schemaProblems, type TSchema, Type } from '@vid/protocol'
import { fail } from '../errors.ts'

const LOWEST_BITRATE = 10_000
const HIGHEST_BITRATE = 1_000_000_000

/** Average bits per second of a video in a plan. */
export const BitrateSchema = Type.Integer({ minimum: LOWEST_BITRATE, maximum: HIGHEST_BITRATE })

/** Threads of one encoder process: part of the plan and never derived from the machine, since the bytes may depend on it. */
export const ThreadsSchema = Type.Integer({ minimum: 2, maximum: 32 })

/** Parses a bitrate such as `10M` or `5000k`; VID_VIDEO_BITRATE when it is out of range. */
export const bitsOf = (text: string): number => {
  const bits = Math.round(Number.parseFloat(text) * ({ k: 1e3, M: 1e6 }[text.slice(-1)] ?? 1))
  if (bits >= LOWEST_BITRATE && bits <= HIGHEST_BITRATE) return bits
  throw fail('VID_VIDEO_BITRATE', { value: text, lowest: `${LOWEST_BITRATE}`, highest: `${HIGHEST_BITRATE}` })
}

/** Checks an encoder's settings in a plan, which may come from another machine; VID_ENCODER_SETTINGS when they do not fit. */
export const readSettings = <S extends TSchema>(schema: S, settings: unknown): Static<S> => {
  const problems = schemaProblems(schema, settings)
  if (problems.length > 0) throw fail('VID_ENCODER_SETTINGS', { problems })
  return settings as Static<S>
}
