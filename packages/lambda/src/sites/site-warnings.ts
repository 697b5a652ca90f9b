import type { Warning } from '@vid/kernel'
import { type LeftBehindFiles, leftBehindWarnings } from '@vid/project'
import { fail } from '../errors.ts'
import { lambdaWarning } from '../warnings.ts'

/** The warnings about what is not uploaded; without its entry file, a project is refused. */
export const siteWarnings = (missing: LeftBehindFiles, entryFile: string): Warning[] =>
  leftBehindWarnings(missing, entryFile, {
    refuse: (entry) => fail('VID_LAMBDA_ENTRY_LEFT_OUT', { entry }),
    files: (files) => lambdaWarning('VID_LAMBDA_LEFT_BEHIND', { files }),
    packages: (packages) => lambdaWarning('VID_LAMBDA_PACKAGES', { packages }),
  })
