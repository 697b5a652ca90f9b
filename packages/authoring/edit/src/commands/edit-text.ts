import type { ResultText } from '@vid/command'
import { printable } from '@vid/protocol'
import type { EditEntry, Editor, EditReceipt } from '../events.ts'

type Place = EditReceipt['changes'][number]

const placed = ({ file, line, text }: Place) => `  ${printable(file)}:${line}  ${printable(text)}`

const section = (title: string, places: readonly Place[]): readonly string[] =>
  places.length === 0 ? [] : [title, ...places.map(placed)]

const STAGED = 'staged in the open preview, where a person writes or drops it; until then the files stay as they are'

/** The diff and the receipt of an edit, as text. */
export const editText = (
  result: EditReceipt & { readonly diff: string; readonly entry: EditEntry | null; readonly staged: boolean },
  { quiet, options }: { readonly quiet: boolean; readonly options: { readonly 'dry-run'?: boolean | undefined } },
): ResultText => {
  const { changes, follows, notes, diff, entry, files, staged } = result
  if (files.length === 0) return { lines: [], after: 'nothing changes: the source is like this already' }
  const isDry = options['dry-run'] === true
  const unwritten = staged ? STAGED : 'nothing is written'
  const written = entry === null ? unwritten : `written as edit ${entry.id}; vid edit undo takes it back`
  return {
    lines: quiet
      ? []
      : [...(isDry ? diff.trimEnd().split('\n').map(printable) : changes.map(({ text }) => printable(text)))],
    after: [...section('along with it:', follows), ...section('note:', notes), written],
  }
}

const nameOf = ({ kind, name }: Editor) => (kind === 'command' ? 'command' : `${kind} ${name}`)

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')

/** One entry of the history in a line, with its changes below. */
export const entryText = ({ id, writtenMs, who, summary, files, undone }: EditEntry): readonly string[] => {
  const names = files.map(({ file }) => file).join(', ')
  const state = undone ? `, undone by ${nameOf(undone)}` : ''
  return [
    printable(`${id}  ${timeOf(writtenMs)}  ${nameOf(who)}  ${names}${state}`),
    ...summary.map((text) => printable(`    ${text}`)),
  ]
}
