import { type FileHandle, open } from 'node:fs/promises'

/** A box of a QuickTime file: its type, and where its content is. */
interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Bytes of a header, with and without a length of 64 bits. */
const HEADER = 8
const LONG_HEADER = 16

/** The boxes in a part of a file. */
async function* boxesIn(file: FileHandle, { start, end }: Omit<Box, 'type'>): AsyncGenerator<Box> {
  for (let position = start; position + HEADER <= end; ) {
    const head = await readAt(file, position, LONG_HEADER)
    if (head.length < HEADER) return
    const length = head.readUInt32BE(0)
    const isLong = length === 1 && head.length === LONG_HEADER
    const bytes = isLong ? Number(head.readBigUInt64BE(HEADER)) : length || end - position
    if (bytes < HEADER) return
    const type = head.toString('latin1', 4, HEADER)
    yield { type, start: position + (isLong ? LONG_HEADER : HEADER), end: Math.min(end, position + bytes) }
    position += bytes
  }
}

const findBox = async (file: FileHandle, parent: Omit<Box, 'type'>, type: string): Promise<Box | undefined> => {
  for await (const box of boxesIn(file, parent)) if (box.type === type) return box
  return undefined
}

/** An ISO 639-2 code as three letters of five bits. */
const packed = (code: string): number =>
  [...code].reduce((value, letter) => value * 32 + (letter.charCodeAt(0) - 0x60), 0)

/** Where a media header has its language, by its version. */
const LANGUAGE_OFFSETS = [20, 32]

/** Kinds of tracks that hold texts. */
const TEXT_HANDLERS = new Set(['text', 'sbtl'])

/** Writes the ISO 639-2 codes of the text tracks of a mov, in order: ffmpeg knows some languages of a Macintosh alone. */
export const writeMovLanguages = async (video: string, codes: readonly string[]): Promise<void> => {
  const file = await open(video, 'r+')
  try {
    const movie = await findBox(file, { start: 0, end: (await file.stat()).size }, 'moov')
    let index = 0
    for await (const track of boxesIn(file, movie ?? { start: 0, end: 0 })) {
      const media = track.type === 'trak' ? await findBox(file, track, 'mdia') : undefined
      const handler = media && (await findBox(file, media, 'hdlr'))
      const header = media && (await findBox(file, media, 'mdhd'))
      if (!handler || !header) continue
      if (!TEXT_HANDLERS.has((await readAt(file, handler.start + 8, 4)).toString('latin1'))) continue
      const [version = 0] = await readAt(file, header.start, 1)
      const language = Buffer.alloc(2)
      language.writeUInt16BE(packed(codes[index++] ?? 'und'))
      await file.write(language, 0, 2, header.start + (LANGUAGE_OFFSETS[version] ?? 0))
    }
  } finally {
    await file.close()
  }
}
