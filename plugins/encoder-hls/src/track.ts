import { type FileHandle, open } from 'node:fs/promises'
import { findMovie, readAt } from '@vid/ffmpeg'
import { bodyAt, boxesIn } from './boxes.ts'
import { failHls } from './errors.ts'

/** One encoded picture, or one packet of sound, in decoding order. */
export interface Sample {
  /** Where its bytes begin in the file. */
  readonly offset: number
  readonly bytes: number
  /** Ticks until the next one is decoded. */
  readonly duration: number
  /** Ticks from its decoding to its presentation, before the delay of the track is taken off. */
  readonly shift: number
  readonly isKey: boolean
}

/** One track of an mp4 file. */
export interface Track {
  /** The body of its `trak` box. */
  readonly body: Buffer
  /** The body of the `mvhd` box of its file. */
  readonly movie: Buffer
  /** Ticks in a second. */
  readonly timescale: number
  /** Ticks at its start that an edit list leaves out. */
  readonly delay: number
  readonly samples: readonly Sample[]
}

/** Reads the body of the box `moov`, wherever it is in the file. */
const readMovie = async (handle: FileHandle, file: string): Promise<Buffer> => {
  const movie = await findMovie(handle)
  if (!movie) throw failHls('VID_HLS_SOURCE', { file, problem: 'it has no index' })
  return readAt(handle, movie.start, movie.end - movie.start)
}

/** Bytes of version and flags at the start of most boxes. */
const VERSION_BYTES = 4

/** The rows of a table whose count is after `skipped` bytes, as unsigned numbers. */
const rowsOf = (body: Buffer | undefined, columns: number, skipped = VERSION_BYTES): number[][] => {
  if (!body) return []
  const start = skipped + 4
  return Array.from({ length: body.readUInt32BE(skipped) }, (_, row) =>
    Array.from({ length: columns }, (__, column) => body.readUInt32BE(start + (row * columns + column) * 4)),
  )
}

/** The values of a table in which each row is a count and a value. */
const valuesOf = (rows: readonly (readonly number[])[]): number[] =>
  rows.flatMap(([count = 0, value = 0]) => Array.from({ length: count }, () => value))

/** Bytes of each sample. */
const sizesOf = (body: Buffer): number[] => {
  const same = body.readUInt32BE(VERSION_BYTES)
  if (same > 0) return Array.from({ length: body.readUInt32BE(VERSION_BYTES + 4) }, () => same)
  return rowsOf(body, 1, VERSION_BYTES + 4).map(([bytes = 0]) => bytes)
}

/** Offsets of the chunks, of 32 or 64 bits. */
const chunksOf = (table: Buffer): number[] => {
  const long = bodyAt(table, ['co64'])
  if (!long) return rowsOf(bodyAt(table, ['stco']), 1).map(([offset = 0]) => offset)
  return rowsOf(long, 2).map(([high = 0, low = 0]) => high * 2 ** 32 + low)
}

/** Offset of each sample: chunks hold samples one after another. */
const offsetsOf = (table: Buffer, sizes: readonly number[]): number[] => {
  const runs = rowsOf(bodyAt(table, ['stsc']), 3)
  const offsets: number[] = []
  let run = 0
  for (const [index, start] of chunksOf(table).entries()) {
    while ((runs[run + 1]?.[0] ?? Infinity) <= index + 1) run += 1
    let offset = start
    for (let left = runs[run]?.[1] ?? 0; left > 0; left -= 1) {
      const bytes = sizes[offsets.length] ?? 0
      offsets.push(offset)
      offset += bytes
    }
  }
  return offsets
}

/** The time at which an edit list begins to show a track. */
const delayOf = (body: Buffer): number => {
  const list = bodyAt(body, ['edts', 'elst'])
  if (!list) return 0
  const isLong = list[0] === 1
  const edits = Array.from({ length: list.readUInt32BE(VERSION_BYTES) }, (_, index) => {
    const offset = VERSION_BYTES + 4 + index * (isLong ? 20 : 12)
    return isLong ? Number(list.readBigInt64BE(offset + 8)) : list.readInt32BE(offset + 4)
  })
  return edits.find((time) => time >= 0) ?? 0
}

/** Offset of the time scale in a media header of each version. */
const SCALE_OFFSETS = [12, 20]

const readTrack = (movie: Buffer, body: Buffer): Track => {
  const media = bodyAt(body, ['mdia', 'mdhd']) ?? Buffer.alloc(0)
  const table = bodyAt(body, ['mdia', 'minf', 'stbl']) ?? Buffer.alloc(0)
  const sizes = sizesOf(bodyAt(table, ['stsz']) ?? Buffer.alloc(12))
  const offsets = offsetsOf(table, sizes)
  const durations = valuesOf(rowsOf(bodyAt(table, ['stts']), 2))
  // Shifts are signed in one version of the box, and too small to differ in the other.
  const shifts = valuesOf(rowsOf(bodyAt(table, ['ctts']), 2)).map((shift) => shift | 0)
  const keys = bodyAt(table, ['stss'])
  const keyNumbers = new Set(rowsOf(keys, 1).map(([number = 0]) => number))
  return {
    body,
    movie,
    timescale: media.readUInt32BE(SCALE_OFFSETS[media[0] ?? 0] ?? 0),
    delay: delayOf(body),
    samples: sizes.map((bytes, index) => ({
      bytes,
      offset: offsets[index] ?? 0,
      duration: durations[index] ?? 0,
      shift: shifts[index] ?? 0,
      isKey: !keys || keyNumbers.has(index + 1),
    })),
  }
}

/** Reads the tracks of an mp4 file, in their order. */
export const readTracks = async (handle: FileHandle, file: string): Promise<Track[]> => {
  return tracksIn(await readMovie(handle, file))
}

/** The tracks that the body of a box `moov` describes, in their order. */
export const tracksIn = (moov: Buffer): Track[] => {
  const movie = bodyAt(moov, ['mvhd']) ?? Buffer.alloc(0)
  const tracks = boxesIn(moov).filter(({ type }) => type === 'trak')
  return tracks.map(({ body }) => readTrack(movie, body))
}

/** Reads the bytes of samples, one after another. */
export const readTrackSamples = async (handle: FileHandle, samples: readonly Sample[]): Promise<Buffer> => {
  const data = Buffer.alloc(samples.reduce((sum, { bytes }) => sum + bytes, 0))
  let position = 0
  for (let first = 0; first < samples.length; ) {
    const start = samples[first]?.offset ?? 0
    let end = start
    let next = first
    // Samples that follow one another in the file are read at once.
    for (; next < samples.length && samples[next]?.offset === end; next += 1) end += samples[next]?.bytes ?? 0
    await handle.read(data, position, end - start, start)
    position += end - start
    first = next
  }
  return data
}

/** Opens an mp4 file with its tracks. */
export const openTracks = async (file: string): Promise<{ readonly handle: FileHandle; readonly tracks: Track[] }> => {
  const handle = await open(file)
  try {
    return { handle, tracks: await readTracks(handle, file) }
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}
