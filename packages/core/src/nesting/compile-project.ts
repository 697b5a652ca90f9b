import { findProject, readEntryText } from '../source/load.ts'
import { filesOf } from '../source/project-files.ts'
import { type CompiledComposition, compileText } from './compile.ts'

/** Inserts the embedded files of a project folder into an entry's text. */
export const compileComposition = async (
  projectDir: string,
  entry: { readonly file: string; readonly html: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<CompiledComposition> => compileText(filesOf(await findProject(projectDir), options.signal), entry)

/** Reads and compiles an entry: the text that its page gets in every process that renders it. */
export const compileEntry = async (
  projectDir: string,
  entry: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<CompiledComposition> =>
  compileComposition(projectDir, await readEntryText(projectDir, entry, options), options)
