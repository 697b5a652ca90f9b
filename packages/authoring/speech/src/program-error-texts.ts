import type { ErrorTable } from '@vid/protocol'

/** Errors of a speech program of the user's. */
export const programTexts = {
  VID_SPEECH_PROGRAM_START: (f: { program: string; reason: string }) => ({
    message: `The speech program "${f.program}" cannot be started: ${f.reason}.`,
    hint: 'Install it, or give its absolute path as the first word of the option command.',
    fault: 'machine',
  }),
  VID_SPEECH_PROGRAM_FAILED: (f: { program: string; outcome: string; stderr: string }) => ({
    message: `The speech program "${f.program}" ${f.outcome}${f.stderr === '' ? '' : `: ${f.stderr}`}.`,
    hint: 'Run the same command by hand; its words are in the option command.',
    fault: 'machine',
  }),
  VID_SPEECH_PROGRAM_TIMEOUT: (f: { program: string; timeoutMs: number }) => ({
    message: `The speech program "${f.program}" did not end within ${f.timeoutMs} ms, and was killed.`,
    hint: 'Raise the option timeoutMs, or use a smaller model.',
    fault: 'machine',
  }),
  VID_SPEECH_PROGRAM_LARGE: (f: { program: string; maxBytes: number }) => ({
    message: `The speech program "${f.program}" has written more than ${f.maxBytes} bytes.`,
    hint: 'Let it write only its result, and its log to stderr.',
    fault: 'machine',
  }),
  VID_SPEECH_PROGRAM_EMPTY: (f: { program: string }) => ({
    message: `The speech program "${f.program}" has ended without writing a result.`,
    hint: 'Let it write to {output} or into {folder}, or print a transcript.',
    fault: 'machine',
  }),
} as const satisfies ErrorTable
