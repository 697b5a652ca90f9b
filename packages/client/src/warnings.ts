import { defineWarnings, type WarningTable } from '@vid/kernel'

const MAX_SHOWN = 10

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_SHOWN
  return names.slice(0, MAX_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Warnings about what is sent to a server. */
export const clientWarnings = {
  VID_API_LEFT_BEHIND: (f: { files: readonly string[] }) => ({
    message: `the project names files that are not sent to the hosted API: ${listed(f.files)}`,
    hint: 'move them to another folder, or take theirs in by .vidignore, with a line such as !dist or !node_modules',
  }),
  VID_API_PACKAGES: (f: { packages: readonly string[] }) => ({
    message: `a render on this machine uses packages of the project that are not sent to the hosted API: ${listed(f.packages)}`,
    hint: 'take them in by .vidignore, with the lines !node_modules, node_modules/* and, for each, such as !node_modules/gsap and !node_modules/gsap/dist; otherwise the server uses its own version, or fetches one',
  }),
} satisfies WarningTable

/** Makes the warnings of this package. */
export const clientWarning = defineWarnings(clientWarnings)
