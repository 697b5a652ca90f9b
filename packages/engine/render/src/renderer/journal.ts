import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeCause, parseJson } from '@vid/protocol'
import type { RowFile } from '../batch/row-files.ts'
import { fail } from '../errors.ts'

/** A finished row, as a line of a journal holds it. */
export interface JournalEntry {
  readonly outputPath: string
  readonly plan: string
  readonly files: readonly RowFile[]
  /** Length of the video. */
  readonly durationMs: number
  /** ISO 8601. */
  readonly completedAt: string
}

/** A file that remembers the finished rows of a stream, one JSON object a line; lines are only added. */
export interface Journal {
  entryOf(outputPath: string): JournalEntry | undefined
  /** Files of all entries that were there when it was opened. */
  readonly files: readonly string[]
  add(entry: JournalEntry): Promise<void>
}

const isEntry = (value: unknown): value is JournalEntry => {
  const { outputPath, plan, files } = (value ?? {}) as Partial<JournalEntry>
  return typeof outputPath === 'string' && typeof plan === 'string' && Array.isArray(files)
}

const unwritable = (path: string, cause: unknown) =>
  fail('VID_MANIFEST_UNWRITABLE', { path, reason: describeCause(cause) }, { cause })

/** Reads a journal, if it is there; without a path, nothing is remembered. */
export const openJournal = async (path: string | undefined): Promise<Journal> => {
  if (path === undefined) return { entryOf: () => undefined, files: [], add: async () => {} }
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw unwritable(path, cause)
  })
  // A process that was killed may have left half a line.
  const entries = text.split('\n').map(parseJson).filter(isEntry)
  const byOutput = new Map(entries.map((entry) => [entry.outputPath, entry]))
  const start = text === '' || text.endsWith('\n') ? '' : '\n'
  let last = mkdir(dirname(path), { recursive: true }).then(() => (start ? appendFile(path, start) : undefined))
  last.catch(() => {})
  return {
    entryOf: (outputPath) => byOutput.get(outputPath),
    files: entries.flatMap(({ files }) => files.map((file) => file.path)),
    add(entry) {
      const line = `${JSON.stringify(entry)}\n`
      last = last
        .then(() => appendFile(path, line))
        .catch((cause: unknown) => {
          throw unwritable(path, cause)
        })
      return last
    },
  }
}
