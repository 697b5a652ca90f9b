import { leftBehindTexts } from '@vid/project'
import { defineWarnings, type WarningTable } from '@vid/protocol'

const texts = leftBehindTexts('sent to the hosted API', 'the server')

/** Warnings about what is sent to a server. */
export const clientWarnings = {
  VID_API_LEFT_BEHIND: texts.files,
  VID_API_PACKAGES: texts.packages,
  VID_LOGOUT_UNTOLD: (f: { reason: string }) => ({
    message: `The credential was removed here, but the API could not be notified: ${f.reason}.`,
    hint: 'Its token stays valid there until it expires; ask the operator to revoke it if others may have it.',
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const clientWarning = defineWarnings(clientWarnings)
