import { fileOptions, languageOption } from '@vid/captions/commands'
import { type OptionTable, outputOptions } from '@vid/command'

const shared = {
  fresh: { kind: 'switch', about: 'ask again, also if the answer is kept from an earlier call' },
  force: fileOptions.force,
  ...outputOptions,
} as const satisfies OptionTable

/** Options of `vid captions transcribe`. */
export const transcribeOptions = {
  language: { ...languageOption, about: 'language that is spoken', default: 'recognised by the transcriber' },
  output: { ...fileOptions.output, default: 'the name of the file with .vtt, in the current folder' },
  ...shared,
} as const satisfies OptionTable

/** Options of `vid captions speak`. */
export const speakOptions = {
  language: { ...languageOption, about: 'language of the text', default: 'that of the speaker' },
  output: {
    ...fileOptions.output,
    rule: 'a path that ends with .wav',
    about: 'sound to write, with its captions beside it as .vtt',
    default: 'the name of the file with .wav, in the current folder',
  },
  ...shared,
} as const satisfies OptionTable
