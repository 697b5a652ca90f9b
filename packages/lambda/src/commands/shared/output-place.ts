import { isVidError, type VidError } from '@vid/kernel'
import { checkExtension, placeOutput } from '@vid/render'

/** Formats that come with vid, whose names are extensions too. */
const FORMATS = ['mp4', 'mov', 'webm', 'gif', 'png-sequence']

/** The format whose result is a folder. */
const FOLDER_FORMAT = 'png-sequence'

/** Where the result of a render goes here. */
export interface WantedOutput {
  /** As the user writes it; undefined to leave the result in the bucket. */
  readonly output: string | undefined
  readonly format: string
  readonly isFormatChosen: boolean
  readonly force: boolean
  /** Absolute. */
  readonly projectDir: string
  /** Files that are read, which are never replaced. */
  readonly inputs: readonly string[]
}

/**
 * Checks where a result may go, by the rules of a render here; undefined when it is to stay in the bucket.
 * What files of a format that a plugin makes are called is known to the function only, so their names are not judged.
 */
export const placeResult = async ({ output, ...rules }: WantedOutput, cwd: string) => {
  if (output === undefined) return undefined
  const isFolder = rules.format === FOLDER_FORMAT
  const outputPlace = await placeOutput({ ...rules, output, formats: FORMATS, isFolder }, cwd)
  return FORMATS.includes(rules.format) ? outputPlace : { ...outputPlace, warnings: [] }
}

/** The error of a key whose extension no encoder makes, where no flag says what the result holds. */
export const keyErrors = (
  key: string | undefined,
  { format, isFormatChosen }: Pick<WantedOutput, 'format' | 'isFormatChosen'>,
): readonly VidError[] => {
  if (key === undefined) return []
  try {
    checkExtension(key, format, format === FOLDER_FORMAT ? '' : `.${format}`, FORMATS, isFormatChosen)
    return []
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return [thrown]
  }
}
