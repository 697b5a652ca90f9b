import { filesOf } from '@vid/core/source-model'
import { unifiedDiff } from '../diff/unified-diff.ts'
import type { StepHook } from '../history/commit.ts'
import { openProjectDisk, type ProjectDisk } from '../source/project-disk.ts'
import { bytesOfText } from '../source/source-text.ts'
import { readSources, type Sources, type Staged, stagedFiles } from '../source/sources.ts'
import type { Step } from '../staging/stage.ts'

/** The staged content of a file. */
export type StagedFile =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'copy'; readonly from: string; readonly digest: string; readonly size: number }

/** What a session knows: the files as they were read, and what is staged on them. */
export interface SessionState {
  /** The project, with its links resolved. */
  readonly dir: string
  readonly entry: string
  readonly disk: ProjectDisk
  readonly signal: AbortSignal | undefined
  readonly onStep: StepHook | undefined
  steps: readonly Step[]
  readonly sources: WeakMap<Staged, Promise<Sources>>
}

const NOTHING: Staged = { texts: new Map(), copies: new Map() }

/** Begins a session without anything staged. */
export const createState = (
  dir: string,
  entry: string,
  { signal, onStep }: { readonly signal?: AbortSignal | undefined; readonly onStep?: StepHook | undefined },
): SessionState => ({ dir, entry, disk: openProjectDisk(dir), signal, onStep, steps: [], sources: new WeakMap() })

/** What is staged now. */
export const stagedIn = ({ steps }: SessionState): Staged => steps.at(-1)?.staged ?? NOTHING

/** The sources with something staged, read once. */
export const readStaged = ({ disk, dir, entry, signal, sources }: SessionState, staged: Staged): Promise<Sources> => {
  const files = stagedFiles(disk, staged, filesOf(dir, signal).has, signal)
  const reading = sources.get(staged) ?? readSources(disk, entry, staged, files, signal)
  sources.set(staged, reading)
  return reading
}

/** Drops what is staged and what was read. */
export const forget = (state: SessionState): void => {
  state.disk.forget()
  state.sources.delete(NOTHING)
  state.steps = []
}

/** The unified diff from what was staged before to what is staged after; from the files as they were read by default. */
export const diffBetween = ({ disk }: SessionState, after: Staged, before: Staged = NOTHING): string => {
  const texts = [...after.texts].map(([file, text]) =>
    unifiedDiff(file, before.texts.get(file) ?? disk.known(file)?.text ?? '', text),
  )
  const copies = [...after.copies]
    .filter(([file]) => !before.copies.has(file))
    .map(([file, { bytes }]) => `--- /dev/null\n+++ b/${file}\nBinary file of ${bytes} bytes\n`)
  return [...texts, ...copies].join('')
}

/** The staged contents, by their files. */
export const contentsIn = (state: SessionState): ReadonlyMap<string, StagedFile> => {
  const { texts, copies } = stagedIn(state)
  const contents = new Map<string, StagedFile>()
  for (const [file, text] of texts) {
    const hasMark = state.disk.known(file)?.hasMark ?? false
    contents.set(file, { kind: 'text', bytes: bytesOfText({ text, hasMark }) })
  }
  for (const [file, { from, digest, bytes }] of copies) contents.set(file, { kind: 'copy', from, digest, size: bytes })
  return contents
}
