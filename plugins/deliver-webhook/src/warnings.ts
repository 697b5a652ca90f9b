import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings of the notification. */
export const deliverWebhookWarnings = {
  VID_WEBHOOK_RETRIED: (f: { origin: string; reason: string }) => ({
    message: `The request to the webhook at ${f.origin} is retried: ${f.reason}.`,
  }),
} satisfies WarningTable

/** Creates the warnings of this plugin. */
export const deliverWebhookWarning = defineWarnings(deliverWebhookWarnings)
