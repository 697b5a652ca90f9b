import type { ErrorTable } from '@vid/protocol'

/** Errors of a speech service. */
export const serviceTexts = {
  VID_SPEECH_SERVICE_ADDRESS: (f: { url: string; problem: string }) => ({
    message: `The address of the speech service, ${f.url}, cannot be used: ${f.problem}.`,
    hint: 'Give an address such as https://speech.example.com/v1/audio/transcriptions as the option url.',
    fault: 'caller',
  }),
  VID_SPEECH_SERVICE_TOKEN_UNFIT: (_: object) => ({
    message: 'The token for the speech service has characters that a header cannot contain.',
    hint: 'Give the token exactly as the service has issued it, without spaces or line breaks.',
    fault: 'caller',
  }),
  VID_SPEECH_SERVICE_UNREACHABLE: (f: { url: string; reason: string }) => ({
    message: `The speech service at ${f.url} cannot be reached: ${f.reason}.`,
    hint: 'Check its address, whether it runs, and the network between.',
    fault: 'machine',
  }),
  VID_SPEECH_SERVICE_CUT: (f: { url: string; reason: string }) => ({
    message: `The connection to the speech service at ${f.url} was cut: ${f.reason}.`,
    hint: 'Try again; the option timeoutMs is the time limit of a call.',
    fault: 'machine',
  }),
  VID_SPEECH_SERVICE_REPLY: (f: { url: string; reason: string }) => ({
    message: `The speech service at ${f.url} did not do what it was asked for: ${f.reason}.`,
    hint: 'Check the options url, token, fields and query against the documentation of the service.',
    fault: 'machine',
  }),
  VID_SPEECH_SERVICE_LARGE: (f: { bytes: number; maxBytes: number }) => ({
    message: `The sound for the speech service has ${f.bytes} bytes; at most ${f.maxBytes} are sent.`,
    hint: 'Cut the sound into shorter files, or raise the option maxUploadBytes.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable
