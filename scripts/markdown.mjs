// Markdown that the repository's scripts write.

/** A table whose columns are aligned, from rows of texts; the first is its head. */
export const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n')
}
