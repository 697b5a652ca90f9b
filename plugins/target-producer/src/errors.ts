import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of this target; those of the client and of the server have codes of their own. */
export const targetProducerErrors = {
  VID_PRODUCER_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `the entry file ${f.entry} is not among the files that are sent to the render server`,
    hint: 'take its folder in with a line such as !dist in .vidignore, or render that folder itself',
    fault: 'caller',
  }),
  VID_PRODUCER_RESULT: (f: { reason: string }) => ({
    message: `the render server has sent other results than were asked for: ${f.reason}`,
    hint: 'run the same version on both sides, with the same encoders in the config of the server',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(targetProducerErrors)
