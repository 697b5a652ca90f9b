import { findLeftBehind } from '@vid/assets'
import type { Warning } from '@vid/kernel'
import type { Manifest } from '@vid/project'
import { fail } from './errors.ts'
import { targetCloudWarning } from './warnings.ts'

/** A project that is about to be sent. */
export interface Sending {
  readonly projectDir: string
  readonly manifest: Manifest
  readonly entry: string
  /** Absolute folder for what is removed again. */
  readonly workDir: string
  warn(warning: Warning): void
}

/** Warns of what a render here would read and the server would not have: its picture may be another one. */
export const warnOfLeftBehind = async ({ manifest, warn, ...sending }: Sending): Promise<void> => {
  const { entry, files, packages } = await findLeftBehind({ ...sending, files: manifest.files })
  if (entry) throw fail('VID_API_ENTRY_LEFT_OUT', { entry: sending.entry })
  if (files.length > 0) warn(targetCloudWarning('VID_API_LEFT_BEHIND', { files }))
  if (packages.length > 0) warn(targetCloudWarning('VID_API_PACKAGES', { packages }))
}
