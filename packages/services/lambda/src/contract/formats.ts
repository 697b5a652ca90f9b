/** Format of a render that names none. */
export const DEFAULT_FORMAT = 'mp4'

/** Built-in formats whose results are folders. */
const FOLDERS: readonly string[] = ['png-sequence', 'hls']

/** Built-in formats whose names are also extensions of files. */
export const FILE_FORMATS: readonly string[] = ['mp4', 'webm', 'mov', 'gif']

/** Built-in formats. */
export const FORMATS: readonly string[] = [...FILE_FORMATS, ...FOLDERS]

/** Whether the result of a format is a folder. */
export const isFolderFormat = (format: string): boolean => FOLDERS.includes(format)
