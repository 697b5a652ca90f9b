import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings about what a failed upload left in the bucket. */
export const deliverS3Warnings = {
  VID_S3_FILES_LEFT: (f: { count: number; address: string }) => ({
    message: `${f.count} files of a failed folder upload could not be removed below ${f.address}.`,
    hint: 'Remove them.',
  }),
} satisfies WarningTable

/** Creates the warnings of this plugin. */
export const deliverS3Warning = defineWarnings(deliverS3Warnings)
