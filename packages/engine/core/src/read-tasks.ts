import { readTasksOf } from '@vid/kernel'
import { type CompiledComposition, compileText } from './nesting/compile.ts'
import { compileEntry } from './nesting/compile-project.ts'
import { compositionDigest } from './source/digest.ts'
import { findProject, type LoadedComposition, loadComposition, readEntryText } from './source/load.ts'
import type { Composition } from './source/parse.ts'
import { filesOf } from './source/project-files.ts'
import { type RootSize, withRootSize } from './source/root-size.ts'

/** An entry of a project, perhaps laid out for a shape. */
export interface EntryInput {
  /** Absolute folder. */
  readonly projectDir: string
  readonly entry: string
  readonly shape?: string | undefined
}

/** What an entry's text says of the whole composition. */
export type SourceFacts = Omit<Composition, 'scopes'>

/** An entry's text, and what it says. */
export interface ReadEntry extends Omit<LoadedComposition, 'composition'> {
  readonly composition: SourceFacts
}

const define = readTasksOf(import.meta.url)

const factsOf = ({ scopes: _, ...facts }: Composition): SourceFacts => facts

/** Reads the facts of an entry. */
export const readFactsTask = define('readFactsTask', async ({ projectDir, entry, shape }: EntryInput, signal) => {
  const { composition } = await loadComposition(projectDir, entry, { signal, shape })
  return factsOf(composition)
})

/** Reads the text of an entry with its facts. */
export const readCompositionTask = define(
  'readCompositionTask',
  async ({ projectDir, entry, shape }: EntryInput, signal): Promise<ReadEntry> => {
    const { composition, ...text } = await loadComposition(projectDir, entry, { signal, shape })
    return { ...text, composition: factsOf(composition) }
  },
)

/** The text of an entry that was read, as its plan needs it. */
export interface PlannedText {
  readonly projectDir: string
  readonly entry: string
  readonly html: string
  /** SHA-256 (hex) of the entry, which stands for the text if no file is embedded. */
  readonly digest: string
}

/** Checks the times of an entry, and inserts its embedded files; resolves to the digest of the text, and what is wrong with its variables. */
export const planTextTask = define(
  'planTextTask',
  async (
    { projectDir, entry: file, html, digest }: PlannedText,
    signal,
  ): Promise<Pick<CompiledComposition, 'issues'> & { readonly digest: string }> => {
    const files = filesOf(await findProject(projectDir), signal)
    const compiled = await compileText(files, { file, html }, { checksStarts: true })
    return { issues: compiled.issues, digest: compiled.html === html ? digest : compositionDigest(compiled.html) }
  },
)

/** An entry, and the size that its root is to have. */
export interface ResizedEntry extends EntryInput {
  readonly layout: RootSize
}

/** Reads the text of an entry with another size on its root; undefined when it has no root that is written in the text. */
export const resizedEntryTask = define(
  'resizedEntryTask',
  async ({ projectDir, entry, shape, layout }: ResizedEntry, signal) => {
    const { html } = await readEntryText(projectDir, entry, { signal, shape })
    return withRootSize(html, layout)
  },
)

/** Reads and compiles an entry to the text that its page gets. */
export const compileEntryTask = define(
  'compileEntryTask',
  async ({ projectDir, entry, shape }: EntryInput, signal): Promise<string> =>
    (await compileEntry(projectDir, entry, { signal, shape })).html,
)
