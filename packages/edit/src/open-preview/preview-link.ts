import {
  type Editor,
  EditReceiptSchema,
  ErrorDataSchema,
  OpenPreviewSchema,
  parseAs,
  type Static,
  type TSchema,
  Type,
  VidError,
} from '@vid/kernel'
import { fail } from '../errors.ts'
import { findPreviewNote, type PreviewNote } from './preview-note.ts'

/** Paths of an open preview for commands of this machine, which send its token as `Authorization: Bearer`. */
export const SHARED = {
  /** GET: `OpenPreview`. */
  view: '/api/shared/view',
  /** POST `SharedStageBody`: `SharedStageReply`. */
  stage: '/api/shared/stage',
  /** POST `SharedUndoBody`: `SharedUndoReply`. */
  undo: '/api/shared/undo',
  /** POST `{}`: the comments of the project have changed. */
  comments: '/api/shared/comments',
} as const

/** Reply of `POST /api/shared/stage`. */
export const SharedStageReplySchema = Type.Object({ receipt: EditReceiptSchema, diff: Type.String() })

/** Reply of `POST /api/shared/undo`: whether something was staged, which was then taken back. */
export const SharedUndoReplySchema = Type.Object({ isTakenBack: Type.Boolean() })

/** The preview of a project that is open on this machine. */
export interface PreviewLink {
  view(): Promise<Static<typeof OpenPreviewSchema>>
  /** Stages operations under a name, for the person at the preview to write or drop. */
  stage(entry: string, operations: readonly unknown[], who: Editor): Promise<Static<typeof SharedStageReplySchema>>
  /** Takes back what was staged last where `who` did; refuses what another one has staged. */
  undo(entry: string, who: Editor): Promise<boolean>
  /** Tells the page that the comments have changed. */
  commentsChanged(): Promise<void>
}

const MAX_MS = 30_000

const ErrorReplySchema = Type.Object({ error: ErrorDataSchema })

const exchange = async <S extends TSchema>(
  { port, token }: PreviewNote,
  path: string,
  body: object | undefined,
  reply: S,
  signal: AbortSignal,
): Promise<Static<S>> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
  })
  const text = await response.text()
  const value = response.ok ? parseAs(reply, text) : undefined
  if (value !== undefined) return value
  const error = parseAs(ErrorReplySchema, text)?.error
  if (error && response.status !== 401) throw new VidError(error.code, error)
  throw new Error(`the preview answered with status ${response.status}`)
}

/** Opens the link to a project's preview; undefined where none is open. */
export const openPreviewLink = async (dir: string, signal: AbortSignal): Promise<PreviewLink | undefined> => {
  const note = await findPreviewNote(dir)
  if (!note) return undefined
  const ask = async <S extends TSchema>(path: string, body: object | undefined, reply: S): Promise<Static<S>> => {
    try {
      return await exchange(note, path, body, reply, signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof VidError) throw cause
      throw fail('VID_EDIT_PREVIEW', { port: note.port, cause }, { cause })
    }
  }
  return {
    view: () => ask(SHARED.view, undefined, OpenPreviewSchema),
    stage: (entry, operations, who) => ask(SHARED.stage, { entry, operations, who }, SharedStageReplySchema),
    undo: async (entry, who) => (await ask(SHARED.undo, { entry, who }, SharedUndoReplySchema)).isTakenBack,
    commentsChanged: async () => void (await ask(SHARED.comments, {}, Type.Object({}))),
  }
}
