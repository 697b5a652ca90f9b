import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings of laying a composition out at another size. */
export const socialWarnings = {
  VID_SIZE_CHANGED: (f: { declared: string; size: string }) => ({
    message: `the composition of ${f.declared} is laid out at ${f.size}`,
    hint: 'what it places in pixels stays there: use %, vw, vh or container units, or a composition of that size',
  }),
} satisfies WarningTable

/** Makes the warnings of this preset. */
export const socialWarning = defineWarnings(socialWarnings)
