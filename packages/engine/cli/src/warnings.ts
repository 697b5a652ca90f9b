import { defineWarnings, type WarningTable } from '@vid/protocol'

/** Warnings of the command line itself. */
export const cliWarnings = {
  VID_DEBUG_UNKNOWN: (f: { unknown: readonly string[]; known: readonly string[] }) => ({
    message: `VID_DEBUG has unknown topics; got "${f.unknown.join(', ')}".`,
    hint: `Known topics: ${f.known.join(', ')}, and 1 for the stacks of errors; separate several with commas.`,
  }),
  VID_FLAG_ELSEWHERE: (f: { flag: string; command: string }) => ({
    message: `${f.flag} has no effect here.`,
    hint: `Give it to ${f.command}, the only command that uses it.`,
  }),
  VID_OUTPUT_NOT_WRITTEN: (f: { path: string }) => ({
    message: `No delivery wrote the result to ${f.path}.`,
    hint: 'Add file() from @vid/deliver-file to deliveries to write it there.',
  }),
} satisfies WarningTable

/** Makes the warnings of the command. */
export const cliWarning = defineWarnings(cliWarnings)
