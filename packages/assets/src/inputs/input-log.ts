import type { InputFile } from '@vid/kernel'
import { digestState, type FileState } from './file-digest.ts'

/** Remembers what a session's pages were drawn from. */
export interface InputLog {
  /** A file that is being served, in the state that it was opened in. */
  served(source: string, file: string, state: FileState): void
  /** A file whose digest is known; null when there was none. */
  read(source: string, digest: string | null): void
  /** Everything so far, sorted by source. */
  all(): Promise<InputFile[]>
}

/** Stands for a file that changed while the session ran: no file has this digest. */
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
      // At once: what is asked for later may have changed by then.
      digests.set(key, digestState(file, state))
    },
    async all() {
      for (const [key, digest] of digests) {
        const [source = ''] = key.split('\0', 1)
        note(source, (await digest) ?? CHANGED)
      }
      return [...inputs]
        .map(([source, digest]) => ({ source, digest }))
        .sort((a, b) => (a.source < b.source ? -1 : 1))
    },
  }
}
