import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of a site that plays compositions. */
export const siteErrors = {
  VID_PREVIEW_WORKER: (f: { reason: string }) => ({
    message: `This browser does not run the service worker of the preview: ${f.reason}.`,
    hint: 'Allow data of sites inside other sites for localhost, or use a window that is not private.',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(siteErrors)
