import { access, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { describeCause } from '@vid/protocol'
import { writeWhole } from '@vid/system'
import { fail } from '../errors.ts'
import type { Captions } from '../model/cue.ts'
import { writeSrt } from '../text/srt.ts'
import { writeVtt } from '../text/write-vtt.ts'

const TEXTS: Readonly<Record<string, (captions: Captions) => string>> = { '.vtt': writeVtt, '.srt': writeSrt }

/** Writes captions in one format. */
export interface CaptionWriter {
  /** Rejects with VID_CAPTIONS_EXISTS where a file exists, for work that takes long before it is written. */
  checkNew(path: string): Promise<void>
  /** Writes a new file; an existing one is replaced as a whole, and only with `isForced`. */
  write(path: string, captions: Captions, isForced: boolean): Promise<void>
}

/** The writer for the ending of an output; VID_CAPTIONS_OUTPUT for any other ending. */
export const writerOf = (output: string): CaptionWriter => {
  const textOf = TEXTS[extname(output).toLowerCase()]
  if (textOf === undefined) throw fail('VID_CAPTIONS_OUTPUT', { file: output })
  return {
    async checkNew(path) {
      const isThere = await access(path).then(
        () => true,
        () => false,
      )
      if (isThere) throw fail('VID_CAPTIONS_EXISTS', { file: path })
    },
    async write(path, captions, isForced) {
      const text = textOf(captions)
      const writing = isForced
        ? writeWhole(path, (partial) => writeFile(partial, text, { flag: 'wx' }))
        : writeFile(path, text, { flag: 'wx' })
      await writing.catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'EEXIST') throw fail('VID_CAPTIONS_EXISTS', { file: path }, { cause })
        throw fail('VID_CAPTIONS_UNWRITABLE', { file: path, reason: describeCause(cause) }, { cause })
      })
    },
  }
}
