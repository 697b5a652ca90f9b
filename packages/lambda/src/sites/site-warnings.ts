import type { Warning } from '@vid/kernel'
import { fail } from '../errors.ts'
import { lambdaWarning } from '../warnings.ts'

/** What a render here would read and the function would not have, as `findLeftBehind` of @vid/assets finds it. */
export interface MissingFiles {
  /** Whether the entry file is not uploaded. */
  readonly entry: boolean
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

/** The warnings about what is not uploaded; without its entry file, a project is refused. */
export const siteWarnings = ({ entry, files, packages }: MissingFiles, entryFile: string): Warning[] => {
  if (entry) throw fail('VID_LAMBDA_ENTRY_LEFT_OUT', { entry: entryFile })
  return [
    ...(files.length > 0 ? [lambdaWarning('VID_LAMBDA_LEFT_BEHIND', { files })] : []),
    ...(packages.length > 0 ? [lambdaWarning('VID_LAMBDA_PACKAGES', { packages })] : []),
  ]
}
