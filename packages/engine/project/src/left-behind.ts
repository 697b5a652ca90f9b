import type { WarningText } from '@vid/protocol'

const MAX_SHOWN = 10

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_SHOWN
  return names.slice(0, MAX_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The texts of warnings of what is not `sent`, such as "sent to the render server", where a `remoteSide` renders. */
export const leftBehindTexts = (sent: string, remoteSide: string) => ({
  files: (f: { files: readonly string[] }): WarningText => ({
    message: `The project names files that are not ${sent}: ${listed(f.files)}.`,
    hint: 'Move them to another folder, or include their folder in .vidignore with a line such as !dist or !node_modules.',
  }),
  packages: (f: { packages: readonly string[] }): WarningText => ({
    message: `A render on this machine uses packages of the project that are not ${sent}: ${listed(f.packages)}.`,
    hint: `Include them in .vidignore: !node_modules, node_modules/* and, for gsap, !node_modules/gsap and !node_modules/gsap/dist. Otherwise ${remoteSide} uses its version or fetches one.`,
  }),
})
