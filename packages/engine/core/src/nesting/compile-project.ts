import { findProject, readEntryText } from '../source/load.ts'
import { filesOf, type ReadOptions } from '../source/project-files.ts'
import { type CompiledComposition, compileText } from './compile.ts'

/** Inserts the embedded files of a project folder into an entry's text. */
export const compileComposition = async (
  projectDir: string,
  entry: { readonly file: string; readonly html: string },
  options: ReadOptions = {},
): Promise<CompiledComposition> =>
  compileText(filesOf(await findProject(projectDir), options.signal, options.textOf), entry)

/** Reads and compiles an entry: the text that its page gets in every process that renders it. */
export const compileEntry = async (
  projectDir: string,
  entry: string,
  options: ReadOptions = {},
): Promise<CompiledComposition> =>
  compileComposition(projectDir, await readEntryText(projectDir, entry, options), options)
