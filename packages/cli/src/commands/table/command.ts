import { defineCommand, type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid table`. */
export const tableOptions = {
  output: { kind: 'text', rule: 'a path', about: 'path of the table', short: 'o', default: 'rows.csv', path: 'write' },
  composition: renderOptions.composition,
  force: { kind: 'switch', about: 'replace an existing file' },
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** `vid table [dir]`. */
export const tableCommand = defineCommand({
  path: 'table',
  summary: 'Write a table to fill in for vid render --batch.',
  details:
    'Writes a CSV file with a column for each variable of a composition (default: in the current folder) and an example row of their defaults. Any spreadsheet opens it.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: tableOptions,
  examples: [['The variables of the folder "card"', 'vid table card -o people.csv']],
  run: async (run) => (await import('./run.ts')).runTable(run),
  text: ({ file, columns }) => ({ lines: file, after: `columns: ${columns.join(', ')}` }),
})
