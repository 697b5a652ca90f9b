import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid table`. */
export const tableOptions = {
  output: { kind: 'text', rule: 'a path', about: 'path of the table', short: 'o', default: 'rows.csv', path: 'write' },
  composition: renderOptions.composition,
  force: { kind: 'switch', about: 'replace an existing file' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
