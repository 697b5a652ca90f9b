import { ErrorDataSchema, parseAs, type Static, type TSchema, Type, VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type Editor, EditReceiptSchema, OpenPreviewSchema } from '../events.ts'
import type { PreviewNote } from './preview-note.ts'
import { readStagedFolder, type StagedFolder } from './staged-folder.ts'

/** Paths of an open preview for commands of this machine, which send its token as `Authorization: Bearer`. */
export const SHARED = {
  /** GET: `OpenPreview`. */
  view: '/api/shared/view',
  /** POST `SharedStageBody`: `SharedStageReply`. */
  stage: '/api/shared/stage',
  /** POST `SharedUndoBody`: `SharedUndoReply`. */
  undo: '/api/shared/undo',
  /** GET with the query `entry`: the folder of what is staged, until the reply is closed. */
  folder: '/api/shared/folder',
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
  /** Leases a folder with the project as it is staged for a composition; undefined where nothing is staged. */
  leaseStaged(entry: string): Promise<StagedFolder | undefined>
  /** Tells the page that the comments have changed. */
  commentsChanged(): Promise<void>
}

const MAX_MS = 30_000

/** The same for a copy of a project. */
const MAX_COPY_MS = 120_000

const ErrorReplySchema = Type.Object({ error: ErrorDataSchema })

/** Sends a request; throws the error of a reply that has one. */
const send = async (
  { port, token }: PreviewNote,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'error',
    signal,
  })
  if (response.ok) return response
  const error = parseAs(ErrorReplySchema, await response.text())?.error
  if (error && response.status !== 401) throw new VidError(error.code, error)
  throw new Error(`the preview answered with status ${response.status}`)
}

const exchange = async <S extends TSchema>(
  note: PreviewNote,
  path: string,
  body: object | undefined,
  reply: S,
  signal: AbortSignal,
): Promise<Static<S>> => {
  const response = await send(note, path, body, AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]))
  const value = parseAs(reply, await response.text())
  if (value === undefined) throw new Error('the preview answered with something else')
  return value
}

const leaseStaged = async (
  note: PreviewNote,
  entry: string,
  errorOf: (cause: unknown) => Error,
  signal: AbortSignal,
): Promise<StagedFolder | undefined> => {
  const stop = new AbortController()
  const close = () => stop.abort()
  const timer = setTimeout(close, MAX_COPY_MS)
  const path = `${SHARED.folder}?${new URLSearchParams({ entry })}`
  try {
    const { body } = await send(note, path, undefined, AbortSignal.any([signal, stop.signal]))
    if (!body) throw new Error('the preview answered with nothing')
    return await readStagedFolder(body, close, errorOf)
  } catch (thrown) {
    close()
    throw thrown
  } finally {
    clearTimeout(timer)
  }
}

/** The link to the preview that has written a note. */
export const openPreviewLink = (note: PreviewNote, signal: AbortSignal): PreviewLink => {
  const errorOf = (cause: unknown) => fail('VID_EDIT_PREVIEW', { port: note.port, cause }, { cause })
  const coded = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (cause) {
      signal.throwIfAborted()
      throw cause instanceof VidError ? cause : errorOf(cause)
    }
  }
  const ask = <S extends TSchema>(path: string, body: object | undefined, reply: S): Promise<Static<S>> =>
    coded(exchange(note, path, body, reply, signal))
  return {
    leaseStaged: (entry) => coded(leaseStaged(note, entry, errorOf, signal)),
    view: () => ask(SHARED.view, undefined, OpenPreviewSchema),
    stage: (entry, operations, who) => ask(SHARED.stage, { entry, operations, who }, SharedStageReplySchema),
    undo: async (entry, who) => (await ask(SHARED.undo, { entry, who }, SharedUndoReplySchema)).isTakenBack,
    commentsChanged: async () => void (await ask(SHARED.comments, {}, Type.Object({}))),
  }
}
