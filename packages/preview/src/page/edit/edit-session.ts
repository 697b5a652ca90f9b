import { batch, computed, effect, signal } from '@preact/signals'
import { API } from '../../api-paths.ts'
import type { EditState, Operation, ResolveReply, StageBody } from '../../edit-api.ts'
import { idOf, patchOf } from '../model/patches.ts'
import { attempt, tell } from '../state/notices.ts'
import { isExact, isLoading, isPlaying, player } from '../state/playback.ts'
import { entry, revision } from '../state/project.ts'
import { failureOf, read, sendJson, withQuery } from '../state/server.ts'
import { edit } from '../state/staged.ts'
import { panel } from '../state/view.ts'

/** Why the shown composition cannot be edited; empty while it can. */
export const editError = signal('')

/** Calls whose replies are awaited: an event of the server brings nothing that these do not. */
const pending = signal(0)

/** Whether a call is at work. */
export const isEditing = computed(() => pending.value > 0)

const put = (state: EditState) => {
  const shown = edit.peek()
  // Replies may overtake each other.
  if (state.entry !== entry.peek() || (shown?.entry === state.entry && shown.version > state.version)) return
  const author = state.authors.at(-1)
  const isNew = state.authors.length > (shown?.authors.length ?? state.authors.length)
  if (isNew && author?.kind === 'assistant') tell(`${author.name} has staged a change.`)
  batch(() => {
    // What is to be decided must be seen.
    if (state.conflict && !shown?.conflict) panel.value = 'changes'
    edit.value = state
    editError.value = ''
  })
}

/** Reads the state of the shown composition again. */
export const loadEdit = async (signal: AbortSignal): Promise<void> => {
  try {
    put(await read<EditState>(withQuery(API.edit, { entry: entry.peek() }), signal))
  } catch (thrown) {
    if (signal.aborted) return
    batch(() => {
      edit.value = null
      editError.value = failureOf(thrown).message
    })
  }
}

/** Sends a call and shows the state that it leads to; resolves to it, or to null after a failure, which is shown. */
const call = async <S extends EditState>(path: string, body: object = {}): Promise<S | null> => {
  let reply: S | null = null
  pending.value += 1
  await attempt(async () => {
    reply = await sendJson<S>(path, { entry: entry.peek(), ...body })
    put(reply)
  })
  pending.value -= 1
  return reply
}

/** Shows at once what can be shown of operations; the page is loaded as staged when they are. */
const showAtOnce = (operations: readonly Operation[]): boolean => {
  const clips = edit.peek()?.clips ?? []
  const patches = operations.flatMap((operation) => {
    const id = idOf(operation)
    return (
      patchOf(
        operation,
        clips.find((clip) => clip.id === id),
      ) ?? []
    )
  })
  if (patches.length === 0 || isPlaying.peek()) return false
  isExact.value = false
  // A page that does not answer is loaded again anyway.
  player
    .peek()
    ?.patch(patches)
    .catch(() => undefined)
  return true
}

/** Stages operations together; whether they were accepted. */
export const stage = async (operations: readonly Operation[]): Promise<boolean> => {
  if (operations.length === 0) return false
  const isPatched = showAtOnce(operations)
  const body: Omit<StageBody, 'entry'> = { operations }
  const isStaged = (await call(API.stage, body)) !== null
  if (isPatched && !isStaged) void player.peek()?.load()
  return isStaged
}

/** Writes what is staged into the files. */
export const write = async (): Promise<void> => {
  if (!edit.peek()?.changes || edit.peek()?.conflict) return
  if (await call(API.write)) tell('Written.')
}

/** Drops everything that is staged. */
export const discard = async (): Promise<void> => {
  if (edit.peek()?.changes) await call(API.discard)
}

/** Takes back the last change, staged or written. */
export const undo = async (): Promise<void> => {
  const kind = edit.peek()?.undo
  if (kind && (await call(API.undo)) && kind === 'written') tell('The last written change was undone.')
}

/** Applies again what was taken back last. */
export const redo = async (): Promise<void> => {
  const kind = edit.peek()?.redo
  if (kind && (await call(API.redo)) && kind === 'written') tell('The change was written again.')
}

const tellDropped = ({ dropped }: ResolveReply): void => {
  const [first, ...others] = dropped
  if (first) tell(`${others.length + 1} staged changes no longer fit: ${first.message}`, true)
}

/** Keeps what is staged on top of what another program wrote, or drops it. */
export const resolve = async (keep: 'mine' | 'theirs'): Promise<void> => {
  const reply = await call<ResolveReply>(API.resolve, { keep })
  if (reply) tellDropped(reply)
}

/** Drops one of the staged changes. */
export const drop = async (index: number): Promise<void> => {
  const reply = await call<ResolveReply>(API.drop, { index })
  if (reply) tellDropped(reply)
}

/** Reads the state whenever another composition is shown, or its files change. */
export const followEdits = (): void => {
  effect(() => {
    const stop = new AbortController()
    if (entry.value && revision.value >= 0) void loadEdit(stop.signal)
    else edit.value = null
    return () => stop.abort()
  })
}

/** Reads the state after an event about it, unless it is known. */
export const hearEdit = (event: { readonly entry: string; readonly version: number }): void => {
  if (event.entry !== entry.peek() || pending.peek() > 0 || edit.peek()?.version === event.version) return
  void loadEdit(new AbortController().signal)
}

/** Resolves when no document is being loaded. */
export const pictureFollows = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = effect(() => {
      if (isLoading.value) return
      resolve()
      queueMicrotask(() => stop())
    })
  })
