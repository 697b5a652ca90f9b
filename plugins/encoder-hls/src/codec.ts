import { bodyAt } from './boxes.ts'
import type { Track } from './track.ts'

/** Bytes before the boxes of a description: its head, and the fields of a picture. */
const DESCRIPTIONS = 8
const PICTURE_FIELDS = 78

/** Type of the description of a track, and of the box in it with the parameters of its codec. */
const PARAMETER_BOXES = [
  ['avc1', 'avcC'],
  ['hvc1', 'hvcC'],
  ['av01', 'av1C'],
] as const

/** FourCC of the description of a track. */
type Tag = (typeof PARAMETER_BOXES)[number][0]

/** What a codec needs to know to decode all samples of a track. */
export interface Parameters {
  readonly tag: Tag
  readonly bytes: Buffer
}

/** The parameters with which all samples of a track are decoded; undefined for another codec than vid's. */
export const codecParameters = ({ body }: Pick<Track, 'body'>): Parameters | undefined => {
  const entries = bodyAt(body, ['mdia', 'minf', 'stbl', 'stsd'])?.subarray(DESCRIPTIONS)
  if (!entries) return undefined
  for (const [tag, box] of PARAMETER_BOXES) {
    const entry = bodyAt(entries, [tag])
    const bytes = entry && bodyAt(entry.subarray(PICTURE_FIELDS), [box])
    if (bytes) return { tag, bytes }
  }
  return undefined
}

/** The bits of a number of 32 bits in the opposite order. */
const reversed = (bits: number): number =>
  Array.from({ length: 32 }, (_, bit) => (bits >>> bit) & 1).reduce((all, bit) => all * 2 + bit, 0)

/** Profile, compatibility, tier, level and constraints of HEVC by ISO/IEC 14496-15, such as `hvc1.1.6.L120.90`. */
const hevcName = (bytes: Buffer): string => {
  const head = bytes.readUInt8(1)
  const space = ['', 'A', 'B', 'C'][head >> 6]
  const tier = (head & 0x20) === 0 ? 'L' : 'H'
  const constraints = [...bytes.subarray(6, 12)]
  while (constraints.at(-1) === 0) constraints.pop()
  return [
    'hvc1',
    `${space}${head & 0x1f}`,
    reversed(bytes.readUInt32BE(2)).toString(16).toUpperCase(),
    `${tier}${bytes.readUInt8(12)}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.')
}

/** Profile, level, tier and depth of AV1 by its binding to ISO media files, such as `av01.0.08M.08`. */
const av1Name = (bytes: Buffer): string => {
  const profile = bytes.readUInt8(1)
  const flags = bytes.readUInt8(2)
  const level = `${profile & 0x1f}`.padStart(2, '0')
  const depth = (flags & 0x40) === 0 ? '08' : (flags & 0x20) === 0 ? '10' : '12'
  return `av01.${profile >> 5}.${level}${(flags & 0x80) === 0 ? 'M' : 'H'}.${depth}`
}

const names: Readonly<Record<Tag, (bytes: Buffer) => string>> = {
  avc1: (bytes) => `avc1.${bytes.toString('hex', 1, 4)}`,
  hvc1: hevcName,
  av01: av1Name,
}

/** Name of a codec with its profile and level by RFC 6381, such as `avc1.640028`. */
export const codecNameOf = ({ tag, bytes }: Parameters): string => names[tag](bytes)

/** Name of the sound, AAC-LC. */
export const SOUND_CODEC = 'mp4a.40.2'
