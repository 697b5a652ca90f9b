import { bodyAt } from './boxes.ts'
import type { Track } from './track.ts'

/** Bytes before the boxes of a description: its head, and the fields of a picture. */
const DESCRIPTIONS = 8
const PICTURE_FIELDS = 78

/** The parameters of H.264 with which all samples of a track are decoded. */
export const parametersOf = ({ body }: Pick<Track, 'body'>): Buffer | undefined => {
  const entries = bodyAt(body, ['mdia', 'minf', 'stbl', 'stsd'])?.subarray(DESCRIPTIONS)
  const entry = entries && bodyAt(entries, ['avc1'])
  return entry && bodyAt(entry.subarray(PICTURE_FIELDS), ['avcC'])
}

/** Name of H.264 with its profile and level by RFC 6381, such as `avc1.640028`. */
export const codecOf = (parameters: Buffer): string => `avc1.${parameters.toString('hex', 1, 4)}`

/** Name of the sound, AAC-LC. */
export const SOUND_CODEC = 'mp4a.40.2'
