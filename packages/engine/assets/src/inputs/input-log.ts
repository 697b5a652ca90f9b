import type { InputFile } from '@vid/kernel'
import { digestState, type FileState } from './file-digest.ts'

/** Records the files that a session's pages were drawn from. */
export interface InputLog {
  /** Records a file that is served, in the state in which it was opened. */
  served(source: string, file: string, state: FileState): void
  /** Records a file with its digest; null when there was no such file. */
  read(source: string, digest: string | null): void
  /** Everything recorded so far, sorted by source. */
  all(): Promise<InputFile[]>
}

/** In place of a digest when a file changed during the session: no file has this digest. */
const CHANGED = 'changed'

/** Starts an empty log. */
export const createInputLog = (): InputLog => {
  const inputs = new Map<string, string | null>()
  const files = new Map<string, { readonly file: string; readonly state: FileState }>()
  const digests = new Map<string, Promise<string | undefined>>()
  const note = (source: string, digest: string | null) => {
    const before = inputs.get(source)
    inputs.set(source, before === undefined || before === digest ? digest : CHANGED)
  }
  return {
    read: note,
    served(source, file, state) {
      const key = [source, file, state.size, state.mtimeMs, state.ctimeMs, state.ino].join('\0')
      if (files.has(key)) return
      files.set(key, { file, state })
      // Digested at once, since the file may change later.
      digests.set(key, digestState(file, state))
    },
    async all() {
      for (const [key, digest] of digests) {
        const [source = ''] = key.split('\0', 1)
        note(source, (await digest) ?? CHANGED)
      }
      return [...inputs].map(([source, digest]) => ({ source, digest })).sort((a, b) => (a.source < b.source ? -1 : 1))
    },
  }
}
