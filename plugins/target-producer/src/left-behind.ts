import { findLeftBehind } from '@vid/assets'
import type { Warning } from '@vid/kernel'
import { leftBehindWarnings, type Manifest } from '@vid/project'
import { fail } from './errors.ts'
import { targetProducerWarning } from './warnings.ts'

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
  const missing = await findLeftBehind({ ...sending, files: manifest.files })
  const warnings = leftBehindWarnings(missing, sending.entry, {
    refuse: (entry) => fail('VID_PRODUCER_ENTRY_LEFT_OUT', { entry }),
    files: (files) => targetProducerWarning('VID_PRODUCER_LEFT_BEHIND', { files }),
    packages: (packages) => targetProducerWarning('VID_PRODUCER_PACKAGES', { packages }),
  })
  for (const warning of warnings) warn(warning)
}
