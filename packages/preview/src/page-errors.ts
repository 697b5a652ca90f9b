import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors that the page of a preview meets in the browser. */
export const previewPageErrors = {
  VID_PREVIEW_UNREACHABLE: (_: object) => ({
    message: 'the preview cannot be reached',
    hint: 'look at the terminal in which vid preview runs, and start it again',
    fault: 'machine',
  }),
  VID_PREVIEW_REPLY: (f: { status: number }) => ({
    message: `the preview answered with status ${f.status}`,
    hint: 'open the address that vid preview has written in the terminal; start it again if that does not help',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

/** Makes the errors of the page. */
export const failPage = defineErrors(previewPageErrors)
