import { fileOfReference, type ProjectFiles } from '../source/project-references.ts'
import type { ScriptReader } from './nested-scripts.ts'
import type { SheetReader } from './nested-styles.ts'
import { rewriteFrom } from './rewrite-paths.ts'

/** Reads the files of one compilation and remembers which ones it used. */
export interface ProjectReader extends ScriptReader, SheetReader {
  /** Texts that were read, by path relative to the project. */
  readonly files: ReadonlyMap<string, string>
}

/** Creates the reader of a compilation of an entry file. */
export const createProjectReader = ({ has, ...project }: ProjectFiles, entry: string): ProjectReader => {
  const files = new Map<string, string>()
  const readText = async (file: string) => {
    const text = files.get(file) ?? (await project.readText(file))
    if (text !== null) files.set(file, text)
    return text
  }
  return {
    entry,
    files,
    readText,
    rewriteFrom: (file) => rewriteFrom(has, file, entry),
    fileOf: (from, path) => fileOfReference(has, from, path),
    async read(from, path) {
      const file = fileOfReference(has, from, path)
      const css = await readText(file)
      return css === null ? null : { file, css }
    },
  }
}
