import type { VidError, Warning, WarningText } from '@vid/kernel'

/** What a render here would read and the far side would not have, as `findLeftBehind` of @vid/assets finds it. */
export interface LeftBehindFiles {
  /** Whether the entry file is not sent. */
  readonly entry: boolean
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

const MAX_SHOWN = 10

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_SHOWN
  return names.slice(0, MAX_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The texts of warnings of what is not `sent`, such as "sent to the render server", where a `farSide` renders. */
export const leftBehindTexts = (sent: string, farSide: string) => ({
  files: (f: { files: readonly string[] }): WarningText => ({
    message: `The project names files that are not ${sent}: ${listed(f.files)}.`,
    hint: 'Move them to another folder, or include their folder in .vidignore with a line such as !dist or !node_modules.',
  }),
  packages: (f: { packages: readonly string[] }): WarningText => ({
    message: `A render on this machine uses packages of the project that are not ${sent}: ${listed(f.packages)}.`,
    hint: `Include them in .vidignore: !node_modules, node_modules/* and, for gsap, !node_modules/gsap and !node_modules/gsap/dist. Otherwise ${farSide} uses its version or fetches one.`,
  }),
})

/** How a surface words what stays behind. */
export interface LeftBehindWords {
  /** The error of a project whose entry file is not sent. */
  refuse(entry: string): VidError
  files(names: readonly string[]): Warning
  packages(names: readonly string[]): Warning
}

/** The warnings of what is not sent; without its entry file, a project is refused. */
export const leftBehindWarnings = (
  { entry, files, packages }: LeftBehindFiles,
  entryFile: string,
  words: LeftBehindWords,
): Warning[] => {
  if (entry) throw words.refuse(entryFile)
  return [...(files.length > 0 ? [words.files(files)] : []), ...(packages.length > 0 ? [words.packages(packages)] : [])]
}
