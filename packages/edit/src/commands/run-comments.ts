import type { CommandRun } from '@vid/command'
import {
  type Comment,
  CommentTextSchema,
  type Editor,
  type OpenPreview,
  type PlacedComment,
  schemaProblems,
} from '@vid/kernel'
import { readComments } from '../comments/comment-file.ts'
import { addComment, answerComment, placeComments, resolveComment } from '../comments/comments.ts'
import { fail } from '../errors.ts'
import { pinOf } from '../inspect/pin.ts'
import type { EditSession } from '../session/session.ts'
import { openFor, openPreviewOf } from './operation-command.ts'
import type { placeOptions } from './options.ts'
import { readSeconds, readTarget } from './words.ts'

type Line = Pick<CommandRun<typeof placeOptions>, 'cwd' | 'signal' | 'options'>

/** Comments of a project, and what its open preview shows. */
export interface CommentList {
  readonly comments: readonly PlacedComment[]
  readonly resolved: number
  readonly preview: OpenPreview | null
}

const whoOf = ({ as }: Line['options']): Editor =>
  as === undefined ? { kind: 'person', name: 'vid comments' } : { kind: 'assistant', name: as }

const textOf = (text: string): string => {
  const problems = schemaProblems(CommentTextSchema, text)
  if (problems.length > 0) throw fail('VID_COMMENT_VALUE', { problem: problems.join('; ') })
  return text
}

const idOf = (word: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(word)) throw fail('VID_COMMENT_VALUE', { problem: `"${word}" is no number of a comment` })
  return Number(word)
}

/** Tells an open preview that the comments have changed, once they are written. */
const announce = async (edit: EditSession, signal: AbortSignal): Promise<void> => {
  const preview = await openPreviewOf(edit, signal)
  // A page that is not reached reads them when it is opened.
  await preview?.commentsChanged().catch(() => {})
}

/** `vid comments list`. */
export const runList = async (
  run: Line & { readonly options: { readonly all?: boolean | undefined } },
): Promise<CommentList> => {
  const { signal } = run
  const edit = await openFor(run)
  const all = await readComments(edit.projectDir)
  const shown = run.options.all ? all : all.filter(({ resolved }) => resolved === null)
  const sessions = new Map<string, Promise<EditSession>>([[edit.entry, Promise.resolve(edit)]])
  const comments = await placeComments(shown, async (entry) => {
    const session = sessions.get(entry) ?? openFor(run, entry)
    sessions.set(entry, session)
    return (await session).find
  })
  const preview = await openPreviewOf(edit, signal)
  return { comments, resolved: all.length - shown.length, preview: (await preview?.view()) ?? null }
}

/** `vid comments add`. */
export const runAdd = async (
  run: Line & {
    readonly arguments: { readonly text: string }
    readonly options: Readonly<Partial<Record<'at' | 'to' | 'element' | 'composition', string | undefined>>>
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const { at = '0', to, element, composition } = run.options
  const edit = await openFor(run, composition)
  const from = readSeconds(at)
  const end = to === undefined ? null : readSeconds(to)
  if (end !== null && end <= from) throw fail('VID_COMMENT_VALUE', { problem: `it ends at ${end} s, before it begins` })
  const pin = element === undefined ? null : pinOf(await edit.inspect(await readTarget(edit, element)))
  const comment = await addComment(
    { dir: edit.projectDir, signal },
    { entry: edit.entry, from, to: end, pin, who: whoOf(run.options), text: textOf(run.arguments.text) },
  )
  await announce(edit, signal)
  return { comment }
}

/** `vid comments answer`. */
export const runAnswer = async (
  run: Line & {
    readonly arguments: { readonly id: string; readonly text: string }
    readonly options: { readonly resolve?: boolean | undefined }
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const { id, text } = run.arguments
  const edit = await openFor(run)
  const place = { dir: edit.projectDir, signal }
  const who = whoOf(run.options)
  const answered = await answerComment(place, idOf(id), who, textOf(text))
  const comment = run.options.resolve ? await resolveComment(place, answered.id, who) : answered
  await announce(edit, signal)
  return { comment }
}

/** `vid comments resolve`. */
export const runResolve = async (
  run: Line & {
    readonly arguments: { readonly id: string }
    readonly options: { readonly reopen?: boolean | undefined }
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const edit = await openFor(run)
  const who = run.options.reopen ? null : whoOf(run.options)
  const comment = await resolveComment({ dir: edit.projectDir, signal }, idOf(run.arguments.id), who)
  await announce(edit, signal)
  return { comment }
}
