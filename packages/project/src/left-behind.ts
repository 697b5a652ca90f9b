import type { WarningText } from '@vid/kernel'

const MAX_SHOWN = 10

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_SHOWN
  return names.slice(0, MAX_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The texts of warnings of what is not `sent`, such as "sent to the render server", where a `remoteSide` renders. */
export const leftBehindTexts = (sent: string, remoteSide: string) => ({
  files: (f: { files: readonly string[] }): WarningText => ({
    message: `the project names files that are not ${sent}: ${listed(f.files)}`,
    hint: 'move them to another folder, or take theirs in by .vidignore, with a line such as !dist or !node_modules',
  }),
  packages: (f: { packages: readonly string[] }): WarningText => ({
    message: `a render on this machine uses packages of the project that are not ${sent}: ${listed(f.packages)}`,
    hint: `take them in by .vidignore, with the lines !node_modules, node_modules/* and, for each, such as !node_modules/gsap and !node_modules/gsap/dist; otherwise ${remoteSide} uses its own version, or fetches one`,
  }),
})
