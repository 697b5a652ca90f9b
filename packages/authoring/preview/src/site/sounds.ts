import { randomUUID } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHANNELS, decodeSound, findFfmpeg, SAMPLE_RATE } from '@vid/ffmpeg'
import { createRecentMap, isMachineFault, isVidError, recentWork, Type } from '@vid/protocol'
import { fileMark } from '@vid/server'
import type { PreviewFiles } from '../project/project-files.ts'

/** Samples that are decoded at a time: a part of a long sound is heard soon, and no sound is in memory as a whole. */
const BLOCK = 20 * SAMPLE_RATE

/** Blocks that are kept as files, of 7.7 MB each. */
const MAX_BLOCKS = 16

const SAMPLE_BYTES = 4 * CHANNELS

/** The longest part of one request; it lies in two blocks at most. */
const MAX_COUNT = BLOCK

/** What a player asks of the sound of a source. */
export const SoundQuery = Type.Object({
  src: Type.String({ maxLength: 100_000 }),
  from: Type.Integer({ minimum: 0, maximum: 86_400 * SAMPLE_RATE }),
  count: Type.Integer({ minimum: 1, maximum: MAX_COUNT }),
})

/** A part of a sound, in samples. */
export interface SoundSlice {
  readonly src: string
  readonly from: number
  readonly count: number
}

/** Decodes the sounds of a project as a render decodes them, in parts. */
export interface SoundDecoder {
  /** Interleaved stereo of 32-bit floats, silent after the end of the source; undefined for a source without sound. */
  read(part: SoundSlice): Promise<Buffer | undefined>
}

/** Opens the sounds of a project; `scratch` is a folder for temporary files, which its owner removes. */
export const openSounds = (
  files: Pick<PreviewFiles, 'source'>,
  { scratch, signal }: { readonly scratch: string; readonly signal: AbortSignal },
): SoundDecoder => {
  const blocks = createRecentMap<string, Promise<string>>(MAX_BLOCKS, (block) => {
    // What cannot be removed now goes with the folder.
    block.then((path) => rm(path, { force: true })).catch(() => {})
  })
  const decode = async (file: string, index: number): Promise<string> => {
    const output = join(scratch, `sound-${randomUUID()}`)
    try {
      const tools = await findFfmpeg({ signal })
      await decodeSound({ file, from: index * BLOCK, samples: BLOCK, output, signal, tools })
      return output
    } catch (thrown) {
      await rm(output, { force: true })
      throw thrown
    }
  }
  const blockOf = (file: string, mark: string, index: number): Promise<string> =>
    recentWork(blocks, `${mark} ${index}`, () => decode(file, index))
  const readParts = async (file: string, { from, count }: SoundSlice): Promise<Buffer> => {
    const mark = `${file} ${fileMark(await stat(file))}`
    const bytes = Buffer.alloc(count * SAMPLE_BYTES)
    for (let position = from; position < from + count; ) {
      const index = Math.floor(position / BLOCK)
      const start = position - index * BLOCK
      const part = Math.min(BLOCK - start, from + count - position)
      const handle = await open(await blockOf(file, mark, index))
      try {
        const offset = (position - from) * SAMPLE_BYTES
        const { bytesRead } = await handle.read(bytes, offset, part * SAMPLE_BYTES, start * SAMPLE_BYTES)
        // The next block is ready before this one has been played.
        if (bytesRead > 0 && start + part > BLOCK / 2) blockOf(file, mark, index + 1).catch(() => {})
      } finally {
        await handle.close()
      }
      position += part
    }
    return bytes
  }
  return {
    async read(part) {
      try {
        const file = await files.source(part.src)
        return file === undefined ? undefined : await readParts(file, part)
      } catch (thrown) {
        signal.throwIfAborted()
        if (!isVidError(thrown) || isMachineFault(thrown)) throw thrown
        return undefined
      }
    },
  }
}
