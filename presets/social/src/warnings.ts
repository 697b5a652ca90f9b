import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings of laying a composition out at another size. */
export const socialWarnings = {
  VID_SIZE_CHANGED: (f: { declared: string; size: string }) => ({
    message: `The composition of ${f.declared} is laid out at ${f.size}.`,
    hint: 'Positions in pixels do not change: use %, vw, vh or container units, or a composition of that size.',
  }),
} satisfies WarningTable

/** Makes the warnings of this preset. */
export const socialWarning = defineWarnings(socialWarnings)
