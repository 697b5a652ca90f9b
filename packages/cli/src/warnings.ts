import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings of the command line itself. */
export const cliWarnings = {
  VID_DEBUG_UNKNOWN: (f: { unknown: readonly string[]; known: readonly string[] }) => ({
    message: `VID_DEBUG names what vid does not know; got "${f.unknown.join(', ')}".`,
    hint: `It knows ${f.known.join(', ')}, and 1 for the stacks of errors; several are separated by commas.`,
  }),
  VID_FLAG_ELSEWHERE: (f: { flag: string; command: string }) => ({
    message: `${f.flag} changes nothing here`,
    hint: `Give it to ${f.command}, the only command that uses it.`,
  }),
  VID_OUTPUT_NOT_WRITTEN: (f: { path: string }) => ({
    message: `no delivery has put the result at ${f.path}`,
    hint: 'add file() from @vid/deliver-file to deliveries, if it should be there',
  }),
} satisfies WarningTable

/** Makes the warnings of the command. */
export const cliWarning = defineWarnings(cliWarnings)
