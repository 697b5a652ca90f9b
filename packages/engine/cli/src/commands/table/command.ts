import { defineCommand } from '@vid/command'
import { tableOptions } from './options.ts'

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
