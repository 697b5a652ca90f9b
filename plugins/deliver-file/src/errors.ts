import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Every error of this plugin: code → message and hint built from facts. */
export const deliverFileErrors = {
  VID_OUTPUT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the result cannot be written to ${f.path}: ${f.reason}`,
    hint: 'check that the folder exists, is writable and has free space, or choose another --output',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverFileErrors)
