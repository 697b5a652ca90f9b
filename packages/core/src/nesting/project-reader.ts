import { fileOfReference, readInside } from '../source/project-files.ts'
import type { ScriptReader } from './nested-scripts.ts'
import type { StyleReader } from './nested-styles.ts'
import { rewriteFrom } from './rewrite-paths.ts'

/** Reads the files of one compilation and remembers which ones it used. */
export interface ProjectReader extends ScriptReader, StyleReader {
  /** Texts that were read, by path relative to the project. */
  readonly files: ReadonlyMap<string, string>
}

/** Creates the reader of a compilation; `dir` is the project folder with links resolved, `entry` the entry file. */
export const createProjectReader = (dir: string, entry: string, signal?: AbortSignal): ProjectReader => {
  const files = new Map<string, string>()
  const readText = async (file: string) => {
    const text = files.get(file) ?? (await readInside(dir, file, signal))
    if (text !== null) files.set(file, text)
    return text
  }
  return {
    entry,
    files,
    readText,
    rewriteFrom: (file) => rewriteFrom(dir, file, entry),
    fileOf: (from, path) => fileOfReference(dir, from, path),
    async read(from, path) {
      const file = fileOfReference(dir, from, path)
      const css = await readText(file)
      return css === null ? null : { file, css }
    },
  }
}
