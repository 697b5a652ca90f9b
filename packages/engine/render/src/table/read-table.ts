import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'

/** A row of a table, with the number that a spreadsheet shows beside it: the headings are row 1. */
export interface TableRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** A table as it was written, before its cells are values. */
export interface Table {
  /** What messages call its file. */
  readonly path: string
  readonly delimiter: string
  readonly headings: readonly string[]
  /** Rows with at least one cell that is not empty. */
  readonly rows: readonly TableRow[]
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/** Records and characters in which the delimiter is looked for. */
const SAMPLE_RECORDS = 50
const SAMPLE_CHARACTERS = 256 * 1024

/** Characters of a cell at most: as many as all values of a render together may have. */
const MAX_CELL = 1024 * 1024

/** The letters by which a spreadsheet calls a column, counted from 0. */
export const columnLetters = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : `${columnLetters(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`

const SETTINGS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quote inside of a cell that does not begin with one is a letter, as in 5" pipes.
  relax_quotes: true,
}

type Parse = typeof import('csv-parse/sync')['parse']

/** The first records by one delimiter; the last of a sample that ends in the middle of one may be missing. */
const sampleOf = (parse: Parse, text: string, delimiter: string): readonly (readonly string[])[] => {
  try {
    return parse(text.slice(0, SAMPLE_CHARACTERS), { ...SETTINGS, delimiter, to: SAMPLE_RECORDS })
  } catch {
    return []
  }
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/** The delimiter that divides most records into as many cells as the headings, and of those the one with most cells. */
const findDelimiter = (parse: Parse, text: string): string => {
  let best = { delimiter: ',', share: 0, cells: 1 }
  for (const delimiter of DELIMITERS) {
    const records = sampleOf(parse, text, delimiter).filter((cells) => !isBlank(cells))
    const cells = records[0]?.length ?? 0
    if (cells < 2) continue
    const share = records.filter(({ length }) => length === cells).length / records.length
    if (share > best.share || (share === best.share && cells > best.cells)) best = { delimiter, share, cells }
  }
  return best.delimiter
}

const parseRecords = (parse: Parse, path: string, text: string, delimiter: string): string[][] => {
  try {
    return parse(text, { ...SETTINGS, delimiter })
  } catch (cause) {
    const { lines } = cause as { readonly lines?: number }
    const reason =
      (cause as { readonly code?: string }).code === 'CSV_QUOTE_NOT_CLOSED'
        ? `a quote that begins a cell is never closed, up to line ${lines ?? 1}`
        : describeCause(cause)
    throw fail('VID_BATCH_TABLE', { path, reason }, { cause })
  }
}

const checkSizes = (rows: readonly TableRow[]): void => {
  for (const { number, cells } of rows)
    for (const [column, { length }] of cells.entries())
      if (length > MAX_CELL)
        throw fail('VID_BATCH_CELL', {
          place: `Row ${number}, column ${columnLetters(column)}`,
          problem: `it has ${length} characters; at most ${MAX_CELL} are read`,
        })
}

/** Text in a cell has one kind of line break, whichever program wrote it. */
const plainBreaks = (cell: string) => cell.replace(/\r\n?/g, '\n')

/** Reads a table of values that are separated by commas, semicolons, tabs or bars. */
export const readTable = async (path: string, text: string, delimiter?: string): Promise<Table> => {
  const { parse } = await import('csv-parse/sync')
  // A first line that names the delimiter is for spreadsheets, which do not show it.
  const [mark = '', named] = /^sep=(.)(?:\r\n|\r|\n)/i.exec(text) ?? []
  const body = text.slice(mark.length)
  const chosen = named ?? delimiter ?? findDelimiter(parse, body)
  const records = parseRecords(parse, path, body, chosen)
  const all = records.map((cells, index) => ({ number: index + 1, cells: cells.map(plainBreaks) }))
  const filled = all.filter(({ cells }) => !isBlank(cells))
  const [first, ...rows] = filled
  if (!first || rows.length === 0) throw fail('VID_BATCH_EMPTY', { path })
  checkSizes(filled)
  return { path, delimiter: chosen, headings: first.cells.map((cell) => cell.trim().replace(/\s+/g, ' ')), rows }
}
