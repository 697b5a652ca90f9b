import type { Warning } from '@vid/kernel'
import type { OtherVersion } from './library-version.ts'

/** How to get a library in the version that an address requests. */
export const installHint = (name: string, version: string | undefined): string =>
  `To use exactly that version, run "npm install ${name}${version === undefined ? '' : `@${version}`}" in the project's folder: an installed package is served for such an address when its version matches.`

/** The warning for an address that is served in another version than it requests. */
export const otherVersionWarning = ({ name, asked, served }: OtherVersion): Warning => ({
  code: 'VID_LIBRARY_VERSION',
  message: `the page requests ${name}@${asked}, but gets ${name} ${served}, which is bundled with vid`,
  hint: installHint(name, asked),
})
