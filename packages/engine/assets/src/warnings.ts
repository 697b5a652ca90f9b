import { defineWarnings, type WarningTable } from '@vid/protocol'
import { installHint } from './install-hint.ts'
import type { OtherVersion } from './library-version.ts'

/** Warnings about the files that a page gets. */
export const assetWarnings = {
  VID_LIBRARY_VERSION: (f: OtherVersion) => ({
    message: `The page requests ${f.name}@${f.asked}, but gets ${f.name} ${f.served}, which is bundled with vid.`,
    hint: installHint(f.name, f.asked),
  }),
  VID_REMOTE_STALE: (f: { url: string; reason: string; fetched: string }) => ({
    message: `${f.url} could not be fetched: ${f.reason}. Its copy of ${f.fetched} is used.`,
    hint: 'Another machine may have another copy or none: put the file into the project and refer to it by a relative path.',
    transient: true,
  }),
} satisfies WarningTable

/** Makes the warnings of this package. */
export const assetWarning = defineWarnings(assetWarnings)
