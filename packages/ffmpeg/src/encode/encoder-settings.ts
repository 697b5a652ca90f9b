import { type Static, schemaProblems, type TSchema, Type } from '@vid/kernel'
import { fail } from '../errors.ts'

const LOWEST_BITRATE = 10_000
const HIGHEST_BITRATE = 1_000_000_000

/** Average bits per second of a video, as a plan holds it. */
export const BitrateSchema = Type.Integer({ minimum: LOWEST_BITRATE, maximum: HIGHEST_BITRATE })

/** Threads of one encoder process: part of the plan and never taken from the machine, since bytes may depend on it. */
export const ThreadsSchema = Type.Integer({ minimum: 2, maximum: 32 })

/** Bits per second of a text such as `10M` or `5000k`. */
export const bitsOf = (text: string): number => {
  const bits = Math.round(Number.parseFloat(text) * ({ k: 1e3, M: 1e6 }[text.slice(-1)] ?? 1))
  if (bits >= LOWEST_BITRATE && bits <= HIGHEST_BITRATE) return bits
  throw fail('VID_VIDEO_BITRATE', { value: text, lowest: `${LOWEST_BITRATE}`, highest: `${HIGHEST_BITRATE}` })
}

/** An encoder's settings out of a plan, which may have been made elsewhere; VID_ENCODER_SETTINGS when they do not fit. */
export const readSettings = <S extends TSchema>(schema: S, settings: unknown): Static<S> => {
  const problems = schemaProblems(schema, settings)
  if (problems.length > 0) throw fail('VID_ENCODER_SETTINGS', { problems })
  return settings as Static<S>
}
