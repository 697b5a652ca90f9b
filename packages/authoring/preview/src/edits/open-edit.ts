import { type ReadOptions, readClipTree, readEntryText } from '@vid/core'
import {
  type EditSession,
  type ElementAddress,
  type ElementFacts,
  type Operation,
  openEdit,
  type StagedFile,
} from '@vid/edit'
import type { Editor, EditReceipt } from '@vid/edit/events'
import { type ErrorData, isMachineFault, isVidError } from '@vid/protocol'
import type { EditState, ElementInspection, InspectBody } from '../edit-api.ts'
import { fail } from '../errors.ts'

/** The person at a preview. */
export const PERSON: Editor = { kind: 'person', name: 'vid preview' }

/** The edits of one composition, with what was taken back of them. */
export interface OpenEdit {
  state(): Promise<EditState>
  inspect(target: InspectBody['target']): Promise<ElementInspection>
  /** Stages operations; VID_PREVIEW_VERSION where they were made from facts of another version. */
  stage(operations: readonly Operation[], who: Editor, version?: number): Promise<EditReceipt>
  write(): Promise<void>
  /** Drops everything that is staged. */
  discard(): Promise<void>
  /** Takes back the last staged call, else the last written entry. */
  undo(): Promise<void>
  redo(): Promise<void>
  /** Takes back what an assistant staged last; false where nothing is staged, and refuses what another one has staged. */
  takeBack(who: Editor): boolean
  /** Drops one of the staged calls; reports why later ones no longer fit without it. */
  drop(index: number): Promise<readonly ErrorData[]>
  /** Finds the element of a comment. */
  readonly find: EditSession['find']
  /** Reads the files again after another program wrote them; what then does not fit is reported by the state. */
  refresh(): Promise<void>
  /** Stages again, on what another program wrote, whatever fits that; reports why the rest does not. */
  keepMine(): Promise<readonly ErrorData[]>
  /** Files as they are staged. */
  files(): ReadonlyMap<string, StagedFile>
  /** Texts as they are staged. */
  readonly textOf: NonNullable<ReadOptions['textOf']>
}

/** Operations that are taken back together, and who has staged them. */
interface Change {
  readonly operations: readonly Operation[]
  readonly who: Editor
}

/** Why a call failed, where it is not the machine that did. */
const reasonOf = (thrown: unknown): ErrorData => {
  if (!isVidError(thrown) || isMachineFault(thrown)) throw thrown
  return thrown.toJSON()
}

/** Staged files and their texts, made once for each state of a session. */
const createStagedTexts = (session: EditSession) => {
  let files: ReadonlyMap<string, StagedFile> = new Map()
  let texts = new Map<string, string>()
  return {
    files: () => files,
    textOf(file: string) {
      const stagedFile = files.get(file)
      if (stagedFile?.kind !== 'text') return undefined
      const text = texts.get(file) ?? new TextDecoder().decode(stagedFile.bytes)
      texts.set(file, text)
      return text
    },
    renew() {
      files = session.files()
      texts = new Map()
    },
  }
}

/** What was staged by the calls of a session, and taken back of them. */
const createChanges = (session: EditSession, staged: ReturnType<typeof createStagedTexts>) => {
  let changes: readonly Change[] = []
  let undone: readonly Change[] = []
  let conflict: ErrorData | null = null
  let version = 0
  let picture = 0

  const become = (nextChanges: readonly Change[], nextUndone: readonly Change[]) => {
    changes = nextChanges
    undone = nextUndone
    version += 1
    staged.renew()
  }
  const becomeOther = (nextChanges: readonly Change[], nextUndone: readonly Change[]) => {
    picture += 1
    become(nextChanges, nextUndone)
  }
  const refresh = async () => {
    try {
      await session.refresh()
      conflict = null
    } catch (thrown) {
      conflict = reasonOf(thrown)
    }
    become(changes, undone)
  }
  return {
    facts: () => ({ changes, undone, conflict, version, picture }),
    refresh,
    async stage(change: Change, nextUndone: readonly Change[] = []) {
      const receipt = await session.stage(change.operations, { who: change.who })
      if (receipt.files.length > 0) becomeOther([...changes, change], nextUndone)
      return receipt
    },
    async discard() {
      session.discard()
      becomeOther([], [])
      if (conflict) await refresh()
    },
    /** Takes back the last change; false where nothing is staged. */
    takeBack() {
      const last = changes.at(-1)
      if (!last) return false
      session.discard(1)
      becomeOther(changes.slice(0, -1), [...undone, last])
      return true
    },
    /** Nothing is staged any more, since the files have it. */
    settle: () => become([], []),
  }
}

/** The place in the sources of an element of the page: below the nearest element with an id, as the sources have it. */
const addressOf = async (session: EditSession, page: string): Promise<ElementAddress> => {
  const [first = '', ...steps] = page.split('/')
  const { entry } = session
  const start = first.startsWith('#')
    ? (await session.inspect(first)).address
    : { file: entry, path: 'html/body', digest: (await session.digest(entry)) ?? '' }
  return { ...start, path: [start.path, ...steps].join('/') }
}

/** What the sources hold of an element. */
const inspectIn = async (session: EditSession, target: InspectBody['target']): Promise<ElementFacts> => {
  if (typeof target === 'string') return session.inspect(target)
  if ('page' in target) {
    try {
      const facts = await session.inspect(await addressOf(session, target.page))
      const tag = target.page.replace(/^.*\/|\[\d+\]$/g, '')
      if (tag.startsWith('#') || facts.tag === tag) return facts
    } catch (thrown) {
      if (!isVidError(thrown) || thrown.code !== 'VID_EDIT_NOT_FOUND') throw thrown
    }
    throw fail('VID_PREVIEW_ELEMENT', { page: target.page })
  }
  if ('line' in target) return session.inspect({ ...target, digest: (await session.digest(target.file)) ?? '' })
  return session.inspect(await session.follow(target))
}

/** Stages some of the changes again on what is there now; reports why some of them do not fit. */
const restage = async (
  { facts, discard, stage }: ReturnType<typeof createChanges>,
  isKept: (change: Change, index: number) => boolean,
): Promise<readonly ErrorData[]> => {
  const remaining = facts().changes.filter(isKept)
  await discard()
  const reasons: ErrorData[] = []
  for (const change of remaining) await stage(change).catch((thrown: unknown) => reasons.push(reasonOf(thrown)))
  return reasons
}

/** Stages the change again that was undone last, or does a written one again. */
const redo = async (
  session: EditSession,
  { facts, stage, settle }: ReturnType<typeof createChanges>,
): Promise<void> => {
  const { undone } = facts()
  const next = undone.at(-1)
  if (next) {
    await stage(next, undone.slice(0, -1))
    return
  }
  await session.redo(PERSON)
  settle()
}

/** Opens the edits of one composition. */
export const openEdits = async (dir: string, entry: string, signal: AbortSignal): Promise<OpenEdit> => {
  const session = await openEdit(dir, { entry, signal })
  const staged = createStagedTexts(session)
  const options = { signal, textOf: staged.textOf }
  const list = createChanges(session, staged)
  const { facts, refresh, stage, discard, takeBack, settle } = list
  return {
    ...staged,
    find: session.find,
    async state() {
      const { changes, undone, ...others } = facts()
      const { undoable, redoable } = await session.position()
      return {
        ...others,
        entry,
        changes: changes.length,
        steps: session.steps(),
        authors: changes.map(({ who }) => who),
        diff: session.diff(),
        clips: await session.clips(),
        tree: await readClipTree(dir, await readEntryText(dir, entry, options), options),
        undo: changes.length > 0 ? 'staged' : undoable > 0 ? 'written' : null,
        redo: undone.length > 0 ? 'staged' : changes.length === 0 && redoable > 0 ? 'written' : null,
      }
    },
    inspect: async (target) => ({ ...(await inspectIn(session, target)), version: facts().version }),
    stage(operations, who, version = facts().version) {
      if (version !== facts().version) throw fail('VID_PREVIEW_VERSION', {})
      return stage({ operations, who })
    },
    async write() {
      await session.write()
      settle()
    },
    discard,
    async undo() {
      if (takeBack()) return
      await session.undo(PERSON)
      settle()
    },
    redo: () => redo(session, list),
    takeBack(who) {
      const last = facts().changes.at(-1)
      if (last && (last.who.kind !== who.kind || last.who.name !== who.name))
        throw fail('VID_PREVIEW_OTHERS', { who: last.who.name })
      return takeBack()
    },
    drop: (index) => restage(list, (_, other) => other !== index),
    refresh,
    keepMine: () => restage(list, () => true),
  }
}
