import { readFile } from 'node:fs/promises'
import type { StagedFile } from '@vid/edit'
import { findProjectFile } from '@vid/system'

/** The contents of files when they were written last, which another program may have changed since. */
export const createWrittenFiles = (dir: string, signal: AbortSignal) => {
  const contents = new Map<string, Uint8Array>()
  const isAsWritten = async (file: string): Promise<boolean> => {
    const bytes = contents.get(file)
    const path = bytes && (await findProjectFile(dir, file))
    return path !== undefined && bytes !== undefined && Buffer.compare(await readFile(path, { signal }), bytes) === 0
  }
  return {
    /** Notes what is written. */
    add(files: Iterable<readonly [string, StagedFile]>) {
      for (const [file, staged] of files) if (staged.kind === 'text') contents.set(file, staged.bytes)
    },
    /** Whether files, relative to the project, are as they were written; false for none. */
    has: async (files: readonly string[]): Promise<boolean> =>
      files.length > 0 && (await Promise.all(files.map(isAsWritten))).every((isEqual) => isEqual),
  }
}
