import { defineWarnings, type WarningTable } from '@vid/kernel'

const MAX_SHOWN = 10

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_SHOWN
  return names.slice(0, MAX_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Warnings of rendering on AWS. */
export const lambdaWarnings = {
  VID_LAMBDA_LEFT_BEHIND: (f: { files: readonly string[] }) => ({
    message: `the project names files that are not uploaded: ${listed(f.files)}`,
    hint: 'move them to another folder, or take theirs in by .vidignore, with a line such as !dist or !node_modules',
  }),
  VID_LAMBDA_PACKAGES: (f: { packages: readonly string[] }) => ({
    message: `a render on this machine uses packages of the project that are not uploaded: ${listed(f.packages)}`,
    hint: 'take them in by .vidignore, with the lines !node_modules, node_modules/* and, for each, such as !node_modules/gsap and !node_modules/gsap/dist; otherwise the function uses its own version, or fetches one',
  }),
  VID_LAMBDA_SITE_DIFFERS: (f: { siteId: string; folder: string }) => ({
    message: `the folder "${f.folder}" is not what was uploaded as the site ${f.siteId}; the site is rendered`,
    hint: 'leave --site-id out to upload the folder as it is now, or leave the folder out',
  }),
} satisfies WarningTable

/** Makes the warnings of this package. */
export const lambdaWarning = defineWarnings(lambdaWarnings)
