import type { Warning } from '@vid/kernel'
import type { OtherVersion } from './library-version.ts'

/** How to get a library in the version that an address asks for. */
export const installHint = (name: string, version: string | undefined): string =>
  `To have exactly what it asks for, run "npm install ${name}${version === undefined ? '' : `@${version}`}" in the project's folder: a package of its own is served for such an address when its version fits.`

/** The warning for an address that is answered with another version than it names. */
export const otherVersionWarning = ({ name, asked, served }: OtherVersion): Warning => ({
  code: 'VID_LIBRARY_VERSION',
  message: `the page asks for ${name}@${asked}, and is given ${name} ${served}, which comes with vid`,
  hint: installHint(name, asked),
})
