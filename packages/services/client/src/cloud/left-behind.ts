import type { LeftBehindWords } from '@vid/remote'
import { fail } from '../errors.ts'
import { clientWarning } from '../warnings.ts'

/** Texts about files that are not sent to the hosted API. */
export const cloudLeftBehind: LeftBehindWords = {
  refuse: (entry) => fail('VID_API_ENTRY_LEFT_OUT', { entry }),
  files: (files) => clientWarning('VID_API_LEFT_BEHIND', { files }),
  packages: (packages) => clientWarning('VID_API_PACKAGES', { packages }),
}
