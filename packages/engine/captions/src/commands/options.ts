import { type OptionTable, outputOptions } from '@vid/command'
import { captionFormats } from '../read/read-captions.ts'
import { fileOptions, languageOption } from './file-options.ts'

/** Options of `vid captions import`. */
export const captionsImportOptions = {
  format: { kind: 'choice', choices: captionFormats, about: 'format of the file', default: 'by its content' },
  offset: {
    kind: 'text',
    rule: 'seconds such as 2.5 or -0.3',
    pattern: /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)s?$/,
    about: 'seconds to add to all times',
    default: '0',
  },
  language: { ...languageOption, default: 'that of the file' },
  output: { ...fileOptions.output, default: 'the name of the file with .vtt, in the current folder' },
  force: fileOptions.force,
  ...outputOptions,
} as const satisfies OptionTable
