import type { ReadOptions } from '@vid/core'
import type { StagedFile } from '@vid/edit'
import { createSequence } from '@vid/protocol'
import type { EditState } from '../edit-api.ts'
import { type OpenEdit, openEdits } from './open-edit.ts'
import { createWrittenFiles } from './written-files.ts'

/** The edits of a preview: one session for each composition that was opened for editing. */
export interface Edits {
  /** Runs a call on the edits of a composition, after those before it, and reports the state after it. */
  run<T>(
    entry: string,
    call: (edit: OpenEdit) => Promise<T>,
  ): Promise<{ readonly state: EditState; readonly result: T }>
  /** Writes what is staged for a composition, after the calls before it, and reports the state after it. */
  write(entry: string): Promise<EditState>
  /** Whether files, relative to the project, are as they were staged when they were written last: pages show them already. */
  hasWritten(files: readonly string[]): Promise<boolean>
  /** Reads the texts of a project as they are staged for a composition. */
  textsOf(entry: string): ReadOptions['textOf']
  /** What is staged for any composition in place of a file; undefined for what the disk has. */
  staged(file: string): StagedFile | undefined
  /** What is staged for a composition; another map after each change, and empty for nothing. */
  stagedFor(entry: string): ReadonlyMap<string, StagedFile>
  /** Every text that is staged. */
  texts(): readonly string[]
  /** Reads the files of all sessions again. */
  refresh(): Promise<void>
}

/** What the edits of a preview are opened with. */
export interface EditsOptions {
  readonly dir: string
  readonly signal: AbortSignal
  /** Called after what is staged for a composition may have changed. */
  readonly onChange: (entry: string, version: number) => void
}

const NOTHING: ReadonlyMap<string, StagedFile> = new Map()

/** Opens the edits of a project; a session is opened when it is first used. */
export const createEdits = ({ dir, signal, onChange }: EditsOptions): Edits => {
  const edits = new Map<string, OpenEdit>()
  const versions = new Map<string, number>()
  const inTurn = createSequence()

  const written = createWrittenFiles(dir, signal)

  const open = async (entry: string): Promise<OpenEdit> => {
    const edit = edits.get(entry) ?? (await openEdits(dir, entry, signal))
    edits.set(entry, edit)
    return edit
  }
  const stateOf = async (edit: OpenEdit): Promise<EditState> => {
    const state = await edit.state()
    if (versions.get(state.entry) !== state.version) onChange(state.entry, state.version)
    versions.set(state.entry, state.version)
    return state
  }
  const run: Edits['run'] = (entry, call) =>
    inTurn(async () => {
      const edit = await open(entry)
      const result = await call(edit)
      return { state: await stateOf(edit), result }
    })
  return {
    run,
    async write(entry) {
      const { state } = await run(entry, async (edit) => {
        const files = [...edit.files()]
        await edit.write()
        written.add(files)
      })
      return state
    },
    hasWritten: written.has,
    textsOf: (entry) => edits.get(entry)?.textOf,
    stagedFor: (entry) => edits.get(entry)?.files() ?? NOTHING,
    staged(file) {
      for (const edit of edits.values()) {
        const stagedFile = edit.files().get(file)
        if (stagedFile) return stagedFile
      }
      return undefined
    },
    texts: () =>
      [...edits.values()].flatMap((edit) => [...edit.files().keys()].flatMap((file) => edit.textOf(file) ?? [])),
    refresh: () =>
      inTurn(async () => {
        for (const edit of edits.values()) {
          await edit.refresh()
          // A broken file is reported where it is read; the state is asked for again after the next change.
          await stateOf(edit).catch(() => {})
        }
      }),
  }
}
