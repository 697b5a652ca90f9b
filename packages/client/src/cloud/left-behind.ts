import type { Warning } from '@vid/kernel'
import { type LeftBehindFiles, leftBehindWarnings as warningsOf } from '@vid/project'
import { fail } from '../errors.ts'
import { clientWarning } from '../warnings.ts'

/** The warnings about what is not sent; without its entry file, a project is refused. */
export const leftBehindWarnings = (missing: LeftBehindFiles, entryFile: string): Warning[] =>
  warningsOf(missing, entryFile, {
    refuse: (entry) => fail('VID_API_ENTRY_LEFT_OUT', { entry }),
    files: (files) => clientWarning('VID_API_LEFT_BEHIND', { files }),
    packages: (packages) => clientWarning('VID_API_PACKAGES', { packages }),
  })
