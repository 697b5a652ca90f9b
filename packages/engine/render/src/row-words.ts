/** How the rows of a list are counted: from 0, as a spreadsheet shows them, or as the lines of an editor. */
export type RowCounting = 'index' | 'table' | 'line'

/** How the numbers of rows are counted, for hints. */
export const countedText: Readonly<Record<RowCounting, string>> = {
  index: 'rows are counted from 0',
  table: 'rows are counted as a spreadsheet shows them, with the headings in row 1',
  line: 'rows are counted as lines, from 1',
}

/** Numbers of rows that a sentence names. */
const MAX_NAMED = 8

/** Such as `rows 3, 17 and 41`, or `lines 1, 2, 3, 4, 5, 6, 7, 8 and 492 more`. */
export const rowsText = (called: string, rows: readonly number[]): string => {
  const named = rows.slice(0, MAX_NAMED).map(String)
  if (rows.length > MAX_NAMED) named.push(`${rows.length - MAX_NAMED} more`)
  const last = named.pop() ?? ''
  return rows.length === 1 ? `${called} ${last}` : `${called}s ${named.join(', ')} and ${last}`
}

/** A sentence that begins with a capital. */
export const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`
