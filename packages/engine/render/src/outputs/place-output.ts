import { resolve } from 'node:path'
import type { Warning } from '@vid/protocol'
import { checkExtension } from './choose-outputs.ts'
import { checkPlace, checkPosterPaths } from './place.ts'

/** One file that is rendered somewhere else. */
export interface RemoteOutput {
  /** As the user writes it, from the current folder. */
  readonly output: string
  /** Format, which is its extension too. */
  readonly format: string
  /** Whether the format makes a folder of images, which has no extension. */
  readonly isFolder?: boolean
  /** Whether a poster comes with it, which is beside a file. */
  readonly hasPoster?: boolean
  /** Every format that a request may name. */
  readonly formats: readonly string[]
  /** Whether the user chose the format, rather than leaving it to the extension. */
  readonly isFormatChosen: boolean
  /** Whether a file that is no earlier result may be replaced. */
  readonly force: boolean
  /** Files that were read, which are never replaced; from the current folder. */
  readonly inputs: readonly string[]
  /** Absolute folder of the composition; the current folder if it is not on this machine. */
  readonly projectDir: string
}

/** The absolute path of a file that is rendered somewhere else, by the rules of a render here. */
export const placeOutput = async (
  { output, format, isFolder = false, hasPoster = false, formats, isFormatChosen, ...facts }: RemoteOutput,
  cwd: string,
): Promise<{ readonly path: string; readonly warnings: readonly Warning[] }> => {
  const path = resolve(cwd, output)
  const extension = isFolder ? '' : `.${format}`
  const { force, projectDir, inputs } = facts
  const rules = { force, projectDir, inputs: inputs.map((input) => resolve(cwd, input)), isWritten: true }
  await checkPlace(path, output, { ...rules, format, extension })
  if (hasPoster && !isFolder) await checkPosterPaths(path, rules)
  const warning = checkExtension(output, format, extension, formats, isFormatChosen)
  return { path, warnings: warning ? [warning] : [] }
}
