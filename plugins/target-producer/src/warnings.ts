import { defineWarnings, type WarningTable } from '@vid/kernel'
import { leftBehindTexts } from '@vid/project'

const texts = leftBehindTexts('sent to the render server', 'the server')

/** Warnings of this target. */
export const targetProducerWarnings = {
  VID_PRODUCER_LEFT_BEHIND: texts.files,
  VID_PRODUCER_PACKAGES: texts.packages,
} satisfies WarningTable

/** Creates the warnings of this target. */
export const targetProducerWarning = defineWarnings(targetProducerWarnings)
