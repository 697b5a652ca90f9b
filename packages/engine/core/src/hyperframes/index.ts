import { findRoot } from '../source/root.ts'
import { attributeOf, parseDocument } from '../source/tree.ts'
import { animeStarts, withoutRegistrations } from './anime.ts'
import { nestedMedia } from './nested-media.ts'
import { mergeNotes, type Note } from './note.ts'
import { type Rename, renameIn, variableFinder } from './renames.ts'
import { hidesClips } from './sizes.ts'
import { readImportedFile } from './source.ts'
import { unknownAttributes } from './unknown-attributes.ts'
import { unknownNames } from './unknown-names.ts'

export type { Note } from './note.ts'
export type { Rename } from './renames.ts'

/** A project of HyperFrames with the names of vid. */
export interface ConvertedProject {
  /** The texts by path, with as many lines as before. */
  readonly texts: Readonly<Record<string, string>>
  readonly renames: readonly Rename[]
  /** What is left to do by hand. */
  readonly notes: readonly Note[]
  /** The frame rate that the entry asks for, as it is written; null without one. */
  readonly fps: string | null
}

/** Converts the text files of a HyperFrames project, given by path: what differs in its name only, and nothing else. */
export const convertHyperframes = (texts: Readonly<Record<string, string>>): ConvertedProject => {
  const files = Object.entries(texts).map(([file, text]) => readImportedFile(file, text))
  const variableOf = variableFinder(files)
  const media = nestedMedia(files)
  const areHidden = hidesClips(files)
  const converted = files.map((source) => ({
    file: source.file,
    ...renameIn(source, variableOf, { more: media.editsOf(source.file), areHidden }),
  }))
  const root = findRoot(parseDocument(texts['index.html'] ?? ''))
  return {
    texts: Object.fromEntries(converted.map(({ file, text }) => [file, text])),
    renames: converted.flatMap(({ renames }) => renames),
    notes: mergeNotes([
      ...files.flatMap((source) => [
        ...unknownAttributes(source),
        ...unknownNames(withoutRegistrations(source), variableOf, Object.values(texts)),
        ...animeStarts(source),
      ]),
      ...media.notes,
    ]),
    fps: root && attributeOf(root, 'data-fps'),
  }
}
