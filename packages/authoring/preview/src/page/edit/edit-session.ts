import { batch, computed, effect, signal } from '@preact/signals'
import { createSequence, isVidError } from '@vid/protocol'
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

/** Changes that wait for facts, or for their turn. */
const waiting = signal(0)

/** Whether a change is at work. */
export const isEditing = computed(() => pending.value + waiting.value > 0)

/** The revision of the files that the state is of, or a later one. */
const readRevision = signal(-1)

/** Whether the state is that of the files as far as the page has heard of them. */
export const isStateRead = computed(() => edit.value !== null && readRevision.value === revision.value)

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
  const ofRevision = revision.peek()
  try {
    const state = await read<EditState>(withQuery(API.edit, { entry: entry.peek() }), signal)
    batch(() => {
      put(state)
      readRevision.value = ofRevision
    })
  } catch (thrown) {
    if (signal.aborted) return
    batch(() => {
      edit.value = null
      editError.value = failureOf(thrown).message
    })
  }
}

/** Does one after the other, so that what was done first is done first and taken back last. */
const inTurn = createSequence()

/** Sends a call and shows the state that it leads to. */
const send = async <S extends EditState>(path: string, body: object): Promise<S> => {
  pending.value += 1
  try {
    const reply = await sendJson<S>(path, { entry: entry.peek(), ...body })
    put(reply)
    return reply
  } finally {
    pending.value -= 1
  }
}

/** Sends a call in its turn, where it then makes sense; resolves to the state, or to null after a failure, which is shown. */
const call = async <S extends EditState>(
  path: string,
  body: object = {},
  makesSense: () => boolean = () => true,
): Promise<S | null> => {
  let reply: S | null = null
  await attempt(() =>
    inTurn(async () => {
      if (makesSense()) reply = await send<S>(path, body)
    }),
  )
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

/** Operations with the version of the facts that they were made from; undefined for those that need no facts. */
interface Planned {
  readonly operations: readonly Operation[]
  readonly version?: number
}

/** Makes operations from the newest facts; null for none. */
export type Planner = () => Promise<Planned | null>

const isOutdated = (thrown: unknown) => isVidError(thrown) && thrown.code === 'VID_PREVIEW_VERSION'

type Outcome = 'staged' | 'nothing' | 'outdated'

const stageOnce = async (plan: Planner): Promise<Outcome> => {
  const planned = await plan()
  if (!planned || planned.operations.length === 0) return 'nothing'
  const isPatched = showAtOnce(planned.operations)
  try {
    await send(API.stage, planned satisfies Omit<StageBody, 'entry'>)
    return 'staged'
  } catch (thrown) {
    if (isPatched) void player.peek()?.load()
    if (!isOutdated(thrown)) throw thrown
    await loadEdit(new AbortController().signal)
    return 'outdated'
  }
}

/** Tries after which others change what is staged too quickly. */
const MAX_TRIES = 10

/** Stages what a plan makes of the newest facts, made again where these were no longer the newest; whether it was accepted. */
export const stagePlanned = async (plan: Planner): Promise<boolean> => {
  let outcome = 'nothing' as Outcome
  waiting.value += 1
  await attempt(() =>
    inTurn(async () => {
      let tries = 0
      do outcome = await stageOnce(plan)
      while (outcome === 'outdated' && ++tries < MAX_TRIES)
      if (outcome === 'outdated') tell('Others change the composition all the time: nothing was changed.', true)
    }),
  )
  waiting.value -= 1
  return outcome === 'staged'
}

/** Stages operations that need no facts, together; whether they were accepted. */
export const stage = (operations: readonly Operation[]): Promise<boolean> => stagePlanned(async () => ({ operations }))

/** Writes what is staged into the files. */
export const write = async (): Promise<void> => {
  const makesSense = () => Boolean(edit.peek()?.changes) && !edit.peek()?.conflict
  if (await call(API.write, {}, makesSense)) tell('Written.')
}

/** Drops everything that is staged. */
export const discard = async (): Promise<void> => {
  await call(API.discard, {}, () => Boolean(edit.peek()?.changes))
}

const travel = async (direction: 'undo' | 'redo', sentence: string): Promise<void> => {
  let kind: EditState['undo'] = null
  const makesSense = () => {
    kind = edit.peek()?.[direction] ?? null
    return kind !== null
  }
  if ((await call(API[direction], {}, makesSense)) && kind === 'written') tell(sentence)
}

/** Takes back the last change, staged or written. */
export const undo = (): Promise<void> => travel('undo', 'The last written change was undone.')

/** Applies again what was taken back last. */
export const redo = (): Promise<void> => travel('redo', 'The change was written again.')

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

/** Milliseconds that a change waits for the picture: what never loads must not keep it from being taken back. */
const PATIENCE_MS = 15_000

/** Resolves when no document is being loaded; whether that is so before one loses patience. */
export const pictureFollows = (): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isShown: boolean) => {
      clearTimeout(timer)
      resolve(isShown)
      queueMicrotask(() => stop())
    }
    const timer = setTimeout(end, PATIENCE_MS, false)
    const stop = effect(() => {
      if (!isLoading.value) end(true)
    })
  })
