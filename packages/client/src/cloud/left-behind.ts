import type { Warning } from '@vid/kernel'
import { fail } from '../errors.ts'
import { clientWarning } from '../warnings.ts'

/** What a render here would read and the hosted API would not have, as `findLeftBehind` of @vid/assets finds it. */
export interface MissingFiles {
  /** Whether the entry file is not sent. */
  readonly entry: boolean
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

/** The warnings about what is not sent; without its entry file, a project is refused. */
export const leftBehindWarnings = ({ entry, files, packages }: MissingFiles, entryFile: string): Warning[] => {
  if (entry) throw fail('VID_API_ENTRY_LEFT_OUT', { entry: entryFile })
  return [
    ...(files.length > 0 ? [clientWarning('VID_API_LEFT_BEHIND', { files })] : []),
    ...(packages.length > 0 ? [clientWarning('VID_API_PACKAGES', { packages })] : []),
  ]
}
