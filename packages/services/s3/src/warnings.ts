import { defineWarnings, type WarningTable } from '@vid/protocol'

/** Warnings about objects that are left behind, or retained for less time than requested. */
export const s3Warnings = {
  VID_S3_PARTS_LEFT: (f: { upload: string; address: string; reason: string }) => ({
    message: `The parts of upload ${f.upload} of ${f.address} could not be removed: ${f.reason}.`,
    hint: 'Remove them, or add a lifecycle rule for incomplete uploads to the bucket.',
  }),
  VID_S3_NOT_REFRESHED: (f: { address: string; reason: string }) => ({
    message: `${f.address} could not be marked as used, so it may expire too early: ${f.reason}.`,
    hint: 'Allow these credentials s3:GetObject and s3:PutObject on the bucket.',
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const s3Warning = defineWarnings(s3Warnings)
