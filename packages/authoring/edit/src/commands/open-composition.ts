import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import type { Editor } from '../events.ts'
import { findCompositionPlace, findPreview, pathFrom } from '../open-preview/find-preview.ts'
import { openPreviewLink, type PreviewLink } from '../open-preview/preview-link.ts'
import type { Target } from '../operations/operation.ts'
import { renamedTarget } from '../operations/with-files.ts'
import { type EditSession, openEdit } from '../session/session.ts'
import type { editPlaceOptions } from './options.ts'
import { readTarget } from './words.ts'

/** What of a command line says which composition it is about. */
export type EditCommandLine = Pick<CommandRun<typeof editPlaceOptions>, 'cwd' | 'signal' | 'options' | 'roots'>

/** The composition that a command line is about. */
export interface OpenedComposition {
  readonly edit: EditSession
  /** The preview that holds it; undefined where none is open. */
  readonly preview: PreviewLink | undefined
  /** The path of a file from the project of the edits, which the line names from its folder. */
  fileOf(file: string): string
}

/** Who edits by a command line. */
export const editorOf = ({ as }: { readonly as?: string | undefined }): Editor =>
  as === undefined ? { kind: 'command', name: 'vid edit' } : { kind: 'assistant', name: as }

const pathOf = ({ cwd, options }: EditCommandLine) => resolve(cwd, options.dir ?? '.')

/** Opens the composition in the project of the preview that holds it; in its folder where none is open. */
export const openShared = async (line: EditCommandLine, entry?: string): Promise<OpenedComposition> => {
  const { signal, roots } = line
  const place = await findCompositionPlace(pathOf(line), entry)
  const preview = await findPreview(place, roots)
  const project = preview?.place ?? place
  return {
    edit: await openEdit(project.dir, { signal, entry: project.entry }),
    preview: preview && openPreviewLink(preview.note, signal),
    fileOf: (file) => pathFrom(project.dir, resolve(place.dir, file)),
  }
}

/** Opens the composition in its folder: a person and a command write at once, whatever is open. */
export const openAlone = async (line: EditCommandLine, entry?: string): Promise<OpenedComposition> => {
  const place = await findCompositionPlace(pathOf(line), entry)
  const edit = await openEdit(place.dir, { signal: line.signal, entry: place.entry })
  return { edit, preview: undefined, fileOf: (file) => file }
}

/** Opens the composition for an edit: an assistant's is staged in an open preview, for a person to write or drop. */
export const openForEdit = (line: EditCommandLine, entry?: string): Promise<OpenedComposition> =>
  editorOf(line.options).kind === 'assistant' ? openShared(line, entry) : openAlone(line, entry)

/** The same session for words and operations that name files from the folder of the line. */
export const namedFrom = ({ edit, fileOf }: OpenedComposition): EditSession => ({
  ...edit,
  digest: (file) => edit.digest(fileOf(file)),
})

/** The element that a word of the line names. */
export const targetIn = async (opened: OpenedComposition, word: string): Promise<Target> =>
  renamedTarget(await readTarget(namedFrom(opened), word), opened.fileOf)
