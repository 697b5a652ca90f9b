import { defineErrors, type ErrorTable, isVidError, printable } from '@vid/protocol'

/** A file of a folder that cannot travel, and why. */
export interface FileProblem {
  readonly path: string
  readonly problem: string
}

const MAX_SHOWN = 20
const MAX_NAME = 200

/** A name for a message: strangers choose it, so that it may be long and hold anything. */
const shown = (name: string): string => {
  const text = printable(name.slice(0, MAX_NAME))
  return name.length > MAX_NAME ? `"${text}…"` : `"${text}"`
}

const shownProblems = (problems: readonly FileProblem[]): string => {
  const lines = problems.slice(0, MAX_SHOWN).map(({ path, problem }) => `\n  ${shown(path)} ${problem}`)
  const rest = problems.length - lines.length
  return lines.join('') + (rest > 0 ? `\n  and ${rest} more` : '')
}

const caller = 'caller' as const
const machine = 'machine' as const
const remake = 'Make the zip again from the folder, with another program if it happens again.'

/** Errors of a composition's folder that is listed, packed or unpacked. */
export const projectErrors = {
  VID_PROJECT_FOLDER_MISSING: (f: { folder: string }) => ({
    message: `There is no folder ${shown(f.folder)}.`,
    hint: 'Name the folder that holds the composition.',
    fault: caller,
  }),
  VID_PROJECT_FILES_UNFIT: (f: { folder: string; problems: readonly FileProblem[] }) => ({
    message: `These files of ${shown(f.folder)} cannot be sent:${shownProblems(f.problems)}.`,
    hint: 'Rename or remove them, replace links by their files, or list them in .vidignore.',
    fault: caller,
  }),
  VID_PROJECT_TOO_LARGE: (f: { folder: string; what: string; limit: number }) => ({
    message: `The folder ${shown(f.folder)} has ${f.what}; at most ${f.limit} are sent.`,
    hint: 'List in .vidignore what the composition does not use.',
    fault: caller,
  }),
  VID_PROJECT_CHANGED: (f: { path: string }) => ({
    message: `The file ${shown(f.path)} changed while it was read.`,
    hint: 'Wait until nothing writes into the folder, and try again.',
    fault: caller,
  }),
  VID_PROJECT_PLACE_TAKEN: (f: { folder: string }) => ({
    message: `A zip cannot be unpacked to ${shown(f.folder)}: it exists already.`,
    hint: 'Choose a folder that does not exist yet.',
    fault: caller,
  }),
  VID_PROJECT_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `${shown(f.path)} cannot be read: ${f.reason}.`,
    hint: 'Check the permissions and the disk.',
    fault: machine,
  }),
  VID_PROJECT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `${shown(f.path)} cannot be written: ${f.reason}.`,
    hint: 'Check that the folder exists, is writable and has free space.',
    fault: machine,
  }),
  VID_ZIP_INVALID: (f: { reason: string }) => ({
    message: `The file is not a readable zip: ${printable(f.reason)}.`,
    hint: remake,
    fault: caller,
  }),
  VID_ZIP_DAMAGED: (f: { entry: string; reason: string }) => ({
    message: `The entry ${shown(f.entry)} of the zip is damaged: ${printable(f.reason)}.`,
    hint: remake,
    fault: caller,
  }),
  VID_ZIP_NAME: (f: { entry: string; reason: string }) => ({
    message: `The zip has an entry ${shown(f.entry)} whose name ${f.reason}.`,
    hint: 'Name files relative to the folder, with forward slashes, with names that every system allows.',
    fault: caller,
  }),
  VID_ZIP_COLLISION: (f: { entry: string; other: string }) => ({
    message: `The entries ${shown(f.entry)} and ${shown(f.other)} of the zip are one file on some systems, or one is a folder of the other.`,
    hint: 'Give every file a unique name, regardless of upper and lower case.',
    fault: caller,
  }),
  VID_ZIP_KIND: (f: { entry: string; kind: string }) => ({
    message: `The entry ${shown(f.entry)} of the zip is ${f.kind}.`,
    hint: 'Put the file itself into the zip.',
    fault: caller,
  }),
  VID_ZIP_ENCRYPTED: (f: { entry: string }) => ({
    message: `The entry ${shown(f.entry)} of the zip is encrypted.`,
    hint: 'Make the zip without a password.',
    fault: caller,
  }),
  VID_ZIP_METHOD: (f: { entry: string; method: number }) => ({
    message: `The entry ${shown(f.entry)} of the zip is compressed by method ${f.method}.`,
    hint: 'Use Deflate, or no compression.',
    fault: caller,
  }),
  VID_ZIP_OVERLAP: (f: { entry: string; other: string }) => ({
    message: `The entries ${shown(f.entry)} and ${shown(f.other)} of the zip share the same bytes.`,
    hint: remake,
    fault: caller,
  }),
  VID_ZIP_ENTRIES: (f: { limit: number }) => ({
    message: `The zip has more than ${f.limit} files and folders.`,
    hint: 'Leave out what the composition does not use.',
    fault: caller,
  }),
  VID_ZIP_DEPTH: (f: { entry: string; limit: number }) => ({
    message: `The entry ${shown(f.entry)} of the zip is more than ${f.limit} folders deep.`,
    hint: 'Use fewer nested folders.',
    fault: caller,
  }),
  VID_ZIP_FILE_BYTES: (f: { entry: string; limit: number }) => ({
    message: `The entry ${shown(f.entry)} of the zip has more than ${f.limit} bytes when unpacked.`,
    hint: 'Use a smaller file.',
    fault: caller,
  }),
  VID_ZIP_BYTES: (f: { limit: number }) => ({
    message: `The zip has more than ${f.limit} bytes when unpacked.`,
    hint: 'Leave out what the composition does not use.',
    fault: caller,
  }),
  VID_ZIP_RATIO: (f: { limit: number }) => ({
    message: `The zip grows to more than ${f.limit} times its size when unpacked.`,
    hint: 'Leave out files with mostly repeated content.',
    fault: caller,
  }),
} satisfies ErrorTable

/** Makes an error of this package. */
export const failProject = defineErrors(projectErrors)

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** The error to throw for a file or folder that the system does not let us read; an error with a code stays as it is. */
export const unreadable = (path: string, cause: unknown): Error =>
  isVidError(cause) ? cause : failProject('VID_PROJECT_UNREADABLE', { path, reason: reasonOf(cause) }, { cause })

/** The error to throw for a file or folder that the system does not let us write; an error with a code stays as it is. */
export const unwritable = (path: string, cause: unknown): Error =>
  isVidError(cause) ? cause : failProject('VID_PROJECT_UNWRITABLE', { path, reason: reasonOf(cause) }, { cause })
