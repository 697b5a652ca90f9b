import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings about storing and reusing segments. */
export const reuseWarnings = {
  VID_CACHE_UNUSABLE: (f: { reason: string; advice: string }) => ({
    message: `Finished segments cannot be kept: ${f.reason}.`,
    hint: `The render continues without it. ${f.advice} To render without a cache, use --no-cache.`,
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const reuseWarning = defineWarnings(reuseWarnings)
