import { type ResultText, shortPath } from '@vid/command'
import { printable } from '@vid/protocol'
import type { Comment, Editor, OpenPreview, PlacedComment } from '../events.ts'
import type { CommentList } from './run-comments.ts'

const nameOf = ({ kind, name }: Editor) => (kind === 'person' ? 'a person' : name)

const timesOf = ({ from, to }: Pick<Comment, 'from' | 'to'>) => (to === null ? `${from} s` : `${from} to ${to} s`)

const elementOf = ({ pin, place }: PlacedComment): string => {
  if (pin === null) return 'the composition'
  return place === null ? `${pin.element}, which is gone` : `${pin.element} ${place.file}:${place.line}`
}

const commentLines = (comment: PlacedComment): readonly string[] => [
  printable(
    `${comment.id}  ${comment.entry} ${timesOf(comment)}  ${elementOf(comment)}${comment.resolved ? '  done' : ''}`,
  ),
  printable(`    ${nameOf(comment.who)}: ${comment.text}`),
  ...comment.answers.map(({ who, text }) => printable(`    ${nameOf(who)}: ${text}`)),
]

const viewLines = ({ view, staged, conflict }: OpenPreview): readonly string[] => {
  if (view === null) return ['the preview is open, and shows no page']
  const { selected, range } = view
  const place = selected?.place ? ` ${selected.place.file}:${selected.place.line}` : ''
  return [
    `the preview shows ${view.entry} at ${view.time} s (frame ${view.frame})${view.isPlaying ? ', playing' : ''}`,
    ...(range ? [`marked range: ${range.from} to ${range.to} s`] : []),
    selected ? `selected: ${selected.element}${place}` : 'nothing is selected',
    ...staged.map(({ who, summary }) => `staged by ${nameOf(who)}: ${summary.join(' ')}`),
    ...(conflict === null ? [] : [conflict]),
  ].map(printable)
}

/** Comments, and what the open preview shows, as text. */
export const commentListText = ({ comments, resolved, preview, elsewhere }: CommentList, cwd: string): ResultText => {
  const isOpen = `no preview is open${elsewhere.length > 0 ? ` here; one is of ${elsewhere.map((dir) => shortPath(dir, cwd)).join(', ')}` : ''}`
  const count = comments.length === 1 ? '1 comment' : `${comments.length} comments`
  return {
    lines: comments.flatMap(commentLines),
    after: [
      `${count}${resolved > 0 ? `, ${resolved} more are done` : ''}`,
      ...(preview ? viewLines(preview) : [printable(isOpen)]),
    ],
  }
}

/** A comment that was changed, as text. */
export const changedText = ({ id }: Comment, what: string): ResultText => ({
  lines: [],
  after: `comment ${id} is ${what}`,
})
