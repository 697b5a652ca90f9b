import { statfs } from 'node:fs/promises'
import type { RenderPlan } from '@vid/protocol'
import type { KeptSegment } from '../contract/chunk-records.ts'
import { limitProblems } from '../cost/limit-problems.ts'
import { fail } from '../errors.ts'

const MIB = 2 ** 20

/** The resources of a function. */
export interface Room {
  /** Absolute folder for temporary files. */
  readonly tempDir: string
  readonly memoryBytes: number
}

/** Refuses a render whose parts cannot be rendered or joined within the limits of one call. */
export const checkFit = async (plan: RenderPlan, chunks: number, { tempDir, memoryBytes }: Room): Promise<void> => {
  const { frames, width, height, format } = plan
  const { blocks, bsize } = await statfs(tempDir)
  const [first, ...more] = limitProblems({
    frames,
    width,
    height,
    format,
    chunks,
    memoryMb: memoryBytes / MIB,
    storageMb: (blocks * bsize) / MIB,
  }).map(({ field, problem }) => ({ field: `config.${field}`, problem }))
  if (first) throw fail('VID_LAMBDA_CONFIG', { ...first, more })
}

/** Refuses to join segments that, with the result, need more than the free space. */
export const checkSpace = async (segments: readonly KeptSegment[], tempDir: string): Promise<void> => {
  const { bavail, bsize } = await statfs(tempDir)
  const free = bavail * bsize
  // A segment that is a folder exists both packed and unpacked.
  const sizes = segments.map(({ bytes, folder }) => (folder === undefined ? bytes : 2 * bytes))
  const neededBytes = sizes.reduce((sum, bytes) => sum + bytes, 0) + segments.reduce((sum, { bytes }) => sum + bytes, 0)
  if (neededBytes > free) throw fail('VID_LAMBDA_STORAGE', { needed: neededBytes, free })
}
