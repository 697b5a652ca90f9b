import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of writing a result to its output path. */
export const deliveryErrors = {
  VID_OUTPUT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the result cannot be written to ${f.path}: ${f.reason}`,
    hint: 'check that the folder exists, is writable and has free space, or choose another --output',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

/** The error of a result that cannot be written to its output path. */
export const deliveryFailure = defineErrors(deliveryErrors)
