import { type OptionTable, outputOptions, renderOptions } from '@vid/command'
import { filmOptions } from '@vid/film/options'
import { captionFormats } from '../read/read-captions.ts'

const output = {
  kind: 'text',
  rule: 'a path that ends with .vtt or .srt',
  short: 'o',
  path: 'write',
} as const

const force = { kind: 'switch', about: 'replace a file that exists' } as const

/** Options of `vid captions import`. */
export const importOptions = {
  format: { kind: 'choice', choices: captionFormats, about: 'format of the file', default: 'by its content' },
  offset: {
    kind: 'text',
    rule: 'seconds such as 2.5 or -0.3',
    pattern: /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)s?$/,
    about: 'seconds to add to all times',
    default: '0',
  },
  language: {
    kind: 'text',
    rule: 'a language tag such as en or pt-BR',
    pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/,
    about: 'language of the captions',
    default: 'that of the file',
  },
  output: { ...output, about: 'file to write', default: 'the name of the file with .vtt, in the current folder' },
  force,
  ...outputOptions,
} as const satisfies OptionTable

/** Options of `vid captions export`. */
export const exportOptions = {
  from: renderOptions.from,
  to: renderOptions.to,
  output: {
    ...output,
    about: 'file to write; with several languages, one for each, such as talk.en.vtt',
    default: 'the name of the folder with .vtt, in the current folder',
  },
  into: {
    kind: 'text',
    rule: 'a path',
    about: 'mp4, mov or webm that gets the captions as text tracks, in place of those that it has',
    path: 'write',
  },
  force,
  ...filmOptions,
} as const satisfies OptionTable
