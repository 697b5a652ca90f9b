import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of this target; errors of the client and of the server have their own codes. */
export const targetProducerErrors = {
  VID_PRODUCER_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `The entry file ${f.entry} is not among the files for the render server.`,
    hint: 'Include its folder with a line such as !dist in .vidignore, or render that folder itself.',
    fault: 'caller',
  }),
  VID_PRODUCER_RESULT: (f: { reason: string }) => ({
    message: `The render server sent other results than requested: ${f.reason}.`,
    hint: 'Run the same version on both sides, with the same encoders in the config of the server.',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(targetProducerErrors)
