import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of putting a file where it was asked for. */
export const deliverFileErrors = {
  VID_OUTPUT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the result cannot be written to ${f.path}: ${f.reason}`,
    hint: 'check that the folder exists, may be written to and has space; or choose another --output',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverFileErrors)
