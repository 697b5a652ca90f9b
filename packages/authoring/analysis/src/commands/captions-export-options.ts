import { fileOptions } from '@vid/captions/commands'
import { type OptionTable, renderOptions } from '@vid/command'
import { compositionOptions } from '../options.ts'

/** Options of `vid captions export`. */
export const captionsExportOptions = {
  from: renderOptions.from,
  to: renderOptions.to,
  output: {
    ...fileOptions.output,
    about: 'file to write; with several languages, one for each, such as talk.en.vtt',
    default: 'the name of the folder with .vtt, in the current folder',
  },
  into: {
    kind: 'text',
    rule: 'a path',
    about: 'mp4, mov or webm that gets the captions as text tracks instead of those that it has',
    path: 'write',
  },
  force: fileOptions.force,
  ...compositionOptions,
} as const satisfies OptionTable
