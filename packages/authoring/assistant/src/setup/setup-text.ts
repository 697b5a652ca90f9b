import type { ResultText } from '@vid/command'
import { unifiedDiff } from '@vid/edit'
import { printable } from '@vid/protocol'
import type { PlannedFile } from './plan-setup.ts'

/** What the set-up of a project has come to. */
export interface SetupResult {
  /** Absolute. */
  readonly folder: string
  readonly assistants: readonly string[]
  readonly files: readonly Pick<PlannedFile, 'file' | 'action' | 'reason'>[]
  readonly written: boolean
}

const WORDS = { create: 'create', change: 'change', same: 'as it is', keep: 'kept' } as const

const lineOf = ({ file, action, reason }: SetupResult['files'][number]) =>
  printable(`  ${WORDS[action].padEnd(8)}  ${file}${reason === '' ? '' : `: ${reason}`}`)

/** What will be written: a line for each file, and the changes of those that exist. */
export const planLines = (files: readonly PlannedFile[]): readonly string[] => [
  ...files.map(lineOf),
  ...files
    .filter(({ action }) => action === 'change')
    .flatMap(({ file, before, after }) =>
      unifiedDiff(file, before ?? '', after)
        .trimEnd()
        .split(/\r?\n/),
    )
    .map((line) => printable(line.replaceAll('\t', '  '))),
]

/** The result in words; its files have been shown before they were written. */
export const setupText = ({ assistants, files, written }: SetupResult): ResultText => {
  const count = files.filter(({ action }) => action === 'create' || action === 'change').length
  const names = assistants.join(', ')
  if (count === 0) return { lines: [], after: `${names}: everything is set up already` }
  return { lines: [], after: written ? `${names}: ${count} files written` : `${names}: nothing is written` }
}
