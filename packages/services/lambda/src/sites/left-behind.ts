import type { LeftBehindWords } from '@vid/remote'
import { fail } from '../errors.ts'
import { lambdaWarning } from '../warnings.ts'

/** Texts about files that are not uploaded. */
export const siteLeftBehind: LeftBehindWords = {
  refuse: (entry) => fail('VID_LAMBDA_ENTRY_LEFT_OUT', { entry }),
  files: (files) => lambdaWarning('VID_LAMBDA_LEFT_BEHIND', { files }),
  packages: (packages) => lambdaWarning('VID_LAMBDA_PACKAGES', { packages }),
}
