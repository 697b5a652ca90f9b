import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of reading the compositions of strangers. */
export const readerErrors = {
  VID_READ_TIMEOUT: (f: { entry: string; seconds: number }) => ({
    message: `Reading "${f.entry}" and its files took longer than ${f.seconds} seconds.`,
    hint: 'Make the texts of the composition smaller; texts that people write are read in less than a second.',
    final: true,
    fault: 'render',
  }),
  VID_READ_MEMORY: (f: { entry: string; mib: number }) => ({
    message: `Reading "${f.entry}" and its files took more than ${f.mib} MiB of memory.`,
    hint: 'Make the texts of the composition smaller.',
    final: true,
    fault: 'render',
  }),
} satisfies ErrorTable

/** An error with one of the codes above. */
export const fail = defineErrors(readerErrors)
