import { isVidError, type VidError } from '@vid/protocol'
import { checkExtension, placeOutput } from '@vid/render'
import { FORMATS, isFolderFormat } from '../../contract/formats.ts'

/** The local destination of a result. */
interface WantedOutput {
  /** As written by the user; undefined to leave the result in the bucket. */
  readonly output: string | undefined
  readonly format: string
  readonly isFormatChosen: boolean
  readonly force: boolean
  /** Whether a poster comes with it. */
  readonly hasPoster: boolean
  /** Absolute path. */
  readonly projectDir: string
  /** Input files, which are never replaced. */
  readonly inputs: readonly string[]
}

/**
 * Checks the destination of a result by the rules of a local render; undefined if it stays in the bucket. Only the
 * function knows the file names of a plugin's format, so those are not checked.
 */
export const placeResult = async ({ output, ...rules }: WantedOutput, cwd: string) => {
  if (output === undefined) return undefined
  const isFolder = isFolderFormat(rules.format)
  const outputPlace = await placeOutput({ ...rules, output, formats: FORMATS, isFolder }, cwd)
  return FORMATS.includes(rules.format) ? outputPlace : { ...outputPlace, warnings: [] }
}

/** The error for an output key with an unknown extension if no flag sets the format. */
export const keyErrors = (
  key: string | undefined,
  { format, isFormatChosen }: Pick<WantedOutput, 'format' | 'isFormatChosen'>,
): readonly VidError[] => {
  if (key === undefined) return []
  try {
    checkExtension(key, format, isFolderFormat(format) ? '' : `.${format}`, FORMATS, isFormatChosen)
    return []
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return [thrown]
  }
}
