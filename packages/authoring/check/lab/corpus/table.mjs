// Recall and false alarms as a table of Markdown.

const cell = (value, width, index) => (index === 0 ? value.padEnd(width) : value.padStart(width))

/** The rows of `totals` as aligned text, which is Markdown too. */
export const tableOf = (rows) => {
  const texts = [
    ['Group', 'Defects', 'Recall', 'False alarms'],
    ...rows.map(({ group, entries, recall, falseAlarms }) => [
      group,
      `${entries}`,
      `${recall.toFixed(1)} %`,
      `${falseAlarms.toFixed(1)} %`,
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...texts.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((value, index) => cell(value, widths[index], index)).join(' | ')} |`
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(texts[0]), rule, ...texts.slice(1).map(line)].join('\n')
}
