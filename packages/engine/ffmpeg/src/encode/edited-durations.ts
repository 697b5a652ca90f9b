import { type FileHandle, open } from 'node:fs/promises'
import { boxesInFile, type FileBox, findBox, findMovie, readAt } from '../probe/file-boxes.ts'

/** Whether a muxer of ffmpeg writes a file of boxes with edits. */
export const isMovie = (muxer: string | undefined): boolean => muxer === 'mp4' || muxer === 'mov'

/** A duration field: its place in the file and its bytes. */
interface Field {
  readonly position: number
  readonly bytes: 4 | 8
}

/** Where a header has its duration, by the sizes of the fields before it in versions 0 and 1 of the box. */
const durationIn = async (
  file: FileHandle,
  { start }: FileBox,
  [before0, before1]: readonly [number, number],
): Promise<Field> => {
  const [version] = await readAt(file, start, 1)
  return version === 1 ? { position: start + before1, bytes: 8 } : { position: start + before0, bytes: 4 }
}

// Version and flags, the times of creation and change, then the time scale.
const IN_MOVIE_HEADER = [16, 24] as const
// The same, but the number of the track and a reserved field in place of the time scale.
const IN_TRACK_HEADER = [20, 28] as const

const readField = async (file: FileHandle, { position, bytes }: Field): Promise<number> => {
  const field = await readAt(file, position, bytes)
  return bytes === 8 ? Number(field.readBigUInt64BE()) : field.readUInt32BE()
}

const writeField = async (file: FileHandle, { position, bytes }: Field, value: number): Promise<void> => {
  const field = Buffer.alloc(bytes)
  if (bytes === 8) field.writeBigUInt64BE(BigInt(value))
  else field.writeUInt32BE(value)
  await file.write(field, 0, bytes, position)
}

/** The sum of the edits of a track, in units of the movie; undefined without edits. */
const editedLength = async (file: FileHandle, track: FileBox): Promise<number | undefined> => {
  const edits = await findBox(file, track, 'edts')
  const list = edits && (await findBox(file, edits, 'elst'))
  if (!list) return undefined
  const content = await readAt(file, list.start, list.end - list.start)
  const isLong = content.readUInt8(0) === 1
  const lengths = Array.from({ length: content.readUInt32BE(4) }, (_, index) =>
    isLong ? Number(content.readBigUInt64BE(8 + index * 20)) : content.readUInt32BE(8 + index * 12),
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}

/**
 * Gives an mp4 or QuickTime file the durations that its edits show, as ISO/IEC 14496-12 asks: ffmpeg before version 4.4
 * also counts the samples that an encoder of sound needs before its first one.
 */
export const writeEditedDurations = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    const movie = await findMovie(file)
    const header = movie && (await findBox(file, movie, 'mvhd'))
    if (!header) return
    let longest = 0
    for await (const track of boxesInFile(file, movie)) {
      if (track.type !== 'trak') continue
      const trackHeader = await findBox(file, track, 'tkhd')
      if (!trackHeader) continue
      const field = await durationIn(file, trackHeader, IN_TRACK_HEADER)
      const written = await readField(file, field)
      const edited = (await editedLength(file, track)) ?? written
      if (edited !== written) await writeField(file, field, edited)
      longest = Math.max(longest, edited)
    }
    const field = await durationIn(file, header, IN_MOVIE_HEADER)
    if ((await readField(file, field)) !== longest) await writeField(file, field, longest)
  } finally {
    await file.close()
  }
}
