import { bodyAt, boxesIn, HEAD_BYTES, longNumber, makeBox, numbers } from './boxes.ts'
import type { Sample, Track } from './track.ts'

/** Number of the only track of every file. */
const TRACK = 1

/** The body of a header box, with a duration of zero: that of a file in fragments is not known at its start. */
const withoutDuration = (body: Buffer, offsets: readonly [number, number]): Buffer => {
  const isLong = body[0] === 1
  return Buffer.from(body).fill(0, offsets[isLong ? 1 : 0], offsets[isLong ? 1 : 0] + (isLong ? 8 : 4))
}

/** Offsets of the duration in a movie or media header, and in a track header, of each version. */
const DURATION = [16, 24] as const
const TRACK_DURATION = [20, 28] as const
/** Offset of the number in a track header of each version. */
const TRACK_NUMBER = [12, 20] as const

const trackHeader = (body: Buffer): Buffer => {
  const header = withoutDuration(body, TRACK_DURATION)
  header.writeUInt32BE(TRACK, TRACK_NUMBER[header[0] === 1 ? 1 : 0])
  return header
}

const movieHeader = (body: Buffer): Buffer => {
  const header = withoutDuration(body, DURATION)
  header.writeUInt32BE(TRACK + 1, header.length - 4)
  return header
}

/** Tables of samples that are empty, since all samples are in fragments. */
const emptyTables = (description: Buffer): Buffer =>
  makeBox(
    'stbl',
    makeBox('stsd', description),
    makeBox('stts', numbers(0, 0)),
    makeBox('stsc', numbers(0, 0)),
    makeBox('stsz', numbers(0, 0, 0)),
    makeBox('stco', numbers(0, 0)),
  )

/** A body whose boxes are replaced, or left out where `replace` returns nothing. */
const mapBoxes = (body: Buffer, replace: (type: string, body: Buffer) => Buffer | undefined): Buffer =>
  Buffer.concat(boxesIn(body).flatMap((box) => replace(box.type, box.body) ?? []))

const mediaBox = (type: string, body: Buffer): Buffer | undefined => {
  if (type === 'mdhd') return makeBox(type, withoutDuration(body, DURATION))
  if (type === 'minf') return makeBox(type, mapBoxes(body, mediaBox))
  if (type === 'stbl') return emptyTables(bodyAt(body, ['stsd']) ?? Buffer.alloc(0))
  return makeBox(type, body)
}

/** Leaves out what an encoder adds at the start; pictures need no edit, since their shifts are corrected. */
const editList = (delay: number): Buffer => makeBox('edts', makeBox('elst', numbers(0, 1, 0, delay, 0x00_01_00_00)))

/** The initialization segment of a track: what a player needs before any media segment. */
export const initSegment = ({ body, movie, delay }: Track, kind: 'picture' | 'sound'): Buffer => {
  const edits = kind === 'sound' && delay > 0 ? editList(delay) : Buffer.alloc(0)
  const track = mapBoxes(body, (type, inner) => {
    if (type === 'tkhd') return Buffer.concat([makeBox(type, trackHeader(inner)), edits])
    return type === 'mdia' ? makeBox(type, mapBoxes(inner, mediaBox)) : undefined
  })
  return Buffer.concat([
    makeBox('ftyp', Buffer.from('iso6', 'latin1'), numbers(0), Buffer.from('iso6cmfc', 'latin1')),
    makeBox(
      'moov',
      makeBox('mvhd', movieHeader(movie)),
      makeBox('trak', track),
      makeBox('mvex', makeBox('trex', numbers(0, TRACK, 1, 0, 0, 0))),
    ),
  ])
}

/** Flags of a sample: decoding may begin here, or the sample depends on others. */
const KEY = 0x02_00_00_00
const DEPENDENT = 0x01_01_00_00

/** Data offset, and duration, size, flags and shift of each sample; version 1 has signed shifts. */
const RUN_FLAGS = 0x01_00_0f_01

/** Offsets in the fragment count from its own start. */
const TRACK_FLAGS = 0x02_00_00
const TIME_VERSION = 0x01_00_00_00

const fragmentHead = (
  samples: readonly Sample[],
  { number, time, delay }: { readonly number: number; readonly time: number; readonly delay: number },
  dataOffset: number,
): Buffer => {
  const rows = samples.flatMap(({ duration, bytes, isKey, shift }) => [
    duration,
    bytes,
    isKey ? KEY : DEPENDENT,
    (shift - delay) >>> 0,
  ])
  return makeBox(
    'moof',
    makeBox('mfhd', numbers(0, number)),
    makeBox(
      'traf',
      makeBox('tfhd', numbers(TRACK_FLAGS, TRACK)),
      makeBox('tfdt', numbers(TIME_VERSION), longNumber(time)),
      makeBox('trun', numbers(RUN_FLAGS, samples.length, dataOffset, ...rows)),
    ),
  )
}

/** One media segment: its bytes, and how many of them hold its head and its first sample. */
export interface MediaSegment {
  readonly bytes: Buffer
  readonly firstBytes: number
}

/** Writes samples as a media segment; `number` counts from 1, `time` is when its first sample is decoded. */
export const mediaSegment = (
  samples: readonly Sample[],
  data: Buffer,
  position: { readonly number: number; readonly time: number; readonly delay: number },
): MediaSegment => {
  const brand = makeBox('styp', Buffer.from('msdh', 'latin1'), numbers(0), Buffer.from('msdhcmfs', 'latin1'))
  const { length } = fragmentHead(samples, position, 0)
  const head = Buffer.concat([brand, fragmentHead(samples, position, length + HEAD_BYTES)])
  return {
    bytes: Buffer.concat([head, makeBox('mdat', data)]),
    firstBytes: head.length + HEAD_BYTES + (samples[0]?.bytes ?? 0),
  }
}
