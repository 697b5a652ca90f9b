import { resolve } from 'node:path'
import { isVidError, schemaProblems } from '@vid/protocol'
import { readComments } from '../comments/comment-file.ts'
import { addComment, answerComment, placeComments, resolveComment } from '../comments/comments.ts'
import { fail } from '../errors.ts'
import { type Comment, CommentTextSchema, type Editor, type OpenPreview, type PlacedComment } from '../events.ts'
import { pinOf } from '../inspect/pin.ts'
import { findPreviewsBelow } from '../open-preview/find-preview.ts'
import type { PreviewLink } from '../open-preview/preview-link.ts'
import { type EditSession, openEdit } from '../session/session.ts'
import { type EditCommandLine, type OpenedComposition, openShared, targetIn } from './open-composition.ts'
import { readSeconds } from './words.ts'

/** Comments of a project, and what its open preview shows. */
export interface CommentList {
  readonly comments: readonly PlacedComment[]
  readonly resolved: number
  readonly preview: OpenPreview | null
  /** Absolute folder of the project. */
  readonly dir: string
  /** Absolute folders below the named one that are open in previews, where it is not itself. */
  readonly elsewhere: readonly string[]
}

const whoOf = ({ as }: EditCommandLine['options']): Editor =>
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
const announce = async (preview: PreviewLink | undefined): Promise<void> => {
  // A page that is not reached reads them when it is opened.
  await preview?.commentsChanged().catch(() => {})
}

const isWithoutEntry = (thrown: unknown): boolean => isVidError(thrown) && thrown.code === 'VID_ENTRY_MISSING'

/** The composition of a folder; in one without any, the only one below it that is open in a preview. */
const openListed = async (
  line: EditCommandLine,
): Promise<OpenedComposition & { readonly elsewhere: readonly string[] }> => {
  const { cwd, options, signal } = line
  const below = () => findPreviewsBelow(resolve(cwd, options.dir ?? '.'), signal)
  try {
    const opened = await openShared(line)
    return { ...opened, elsewhere: opened.preview ? [] : await below() }
  } catch (thrown) {
    const [only, ...others] = isWithoutEntry(thrown) ? await below() : []
    if (only === undefined || others.length > 0) throw thrown
    return { ...(await openShared({ ...line, options: { ...options, dir: only } })), elsewhere: [] }
  }
}

/** `vid comments list`. */
export const runList = async (
  run: EditCommandLine & { readonly options: { readonly all?: boolean | undefined } },
): Promise<CommentList> => {
  const { signal } = run
  const { edit, preview, elsewhere } = await openListed(run)
  const all = await readComments(edit.projectDir)
  const shown = run.options.all ? all : all.filter(({ resolved }) => resolved === null)
  const sessions = new Map<string, Promise<EditSession>>([[edit.entry, Promise.resolve(edit)]])
  const comments = await placeComments(shown, async (entry) => {
    const session = sessions.get(entry) ?? openEdit(edit.projectDir, { entry, signal })
    sessions.set(entry, session)
    return (await session).find
  })
  const resolved = all.length - shown.length
  return { comments, resolved, preview: (await preview?.view()) ?? null, dir: edit.projectDir, elsewhere }
}

/** `vid comments add`. */
export const runAdd = async (
  run: EditCommandLine & {
    readonly arguments: { readonly text: string }
    readonly options: Readonly<Partial<Record<'at' | 'to' | 'element' | 'composition', string | undefined>>>
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const { at = '0', to, element, composition } = run.options
  const opened = await openShared(run, composition)
  const { edit, preview } = opened
  const from = readSeconds(at)
  const end = to === undefined ? null : readSeconds(to)
  if (end !== null && end <= from) throw fail('VID_COMMENT_VALUE', { problem: `it ends at ${end} s, before it begins` })
  const pin = element === undefined ? null : pinOf(await edit.inspect(await targetIn(opened, element)))
  const comment = await addComment(
    { dir: edit.projectDir, signal },
    { entry: edit.entry, from, to: end, pin, who: whoOf(run.options), text: textOf(run.arguments.text) },
  )
  await announce(preview)
  return { comment }
}

/** `vid comments answer`. */
export const runAnswer = async (
  run: EditCommandLine & {
    readonly arguments: { readonly id: string; readonly text: string }
    readonly options: { readonly resolve?: boolean | undefined }
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const { id, text } = run.arguments
  const { edit, preview } = await openShared(run)
  const place = { dir: edit.projectDir, signal }
  const who = whoOf(run.options)
  const answered = await answerComment(place, idOf(id), who, textOf(text))
  const comment = run.options.resolve ? await resolveComment(place, answered.id, who) : answered
  await announce(preview)
  return { comment }
}

/** `vid comments resolve`. */
export const runResolve = async (
  run: EditCommandLine & {
    readonly arguments: { readonly id: string }
    readonly options: { readonly reopen?: boolean | undefined }
  },
): Promise<{ readonly comment: Comment }> => {
  const { signal } = run
  const { edit, preview } = await openShared(run)
  const who = run.options.reopen ? null : whoOf(run.options)
  const comment = await resolveComment({ dir: edit.projectDir, signal }, idOf(run.arguments.id), who)
  await announce(preview)
  return { comment }
}
