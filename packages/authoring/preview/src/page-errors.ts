import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors that the page of a preview meets in the browser. */
export const previewPageErrors = {
  VID_PREVIEW_UNREACHABLE: (_: object) => ({
    message: 'The preview cannot be reached.',
    hint: 'Look at the terminal in which vid preview runs, and start it again.',
    fault: 'machine',
  }),
  VID_PREVIEW_REPLY: (f: { status: number }) => ({
    message: `The preview answered with status ${f.status}.`,
    hint: 'Open the address that vid preview has written in the terminal; start it again if that does not help.',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

/** Makes the errors of the page. */
export const failPage = defineErrors(previewPageErrors)
