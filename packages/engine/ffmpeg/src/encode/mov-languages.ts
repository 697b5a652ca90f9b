import { open } from 'node:fs/promises'
import { boxesInFile, findBox, findMovie, readAt } from '../probe/file-boxes.ts'

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
    const movie = await findMovie(file)
    let index = 0
    for await (const track of boxesInFile(file, movie ?? { start: 0, end: 0 })) {
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
