import type { Declaration } from '@vid/core'
import { fail } from '../errors.ts'
import { sentence } from '../row-words.ts'
import { renderWarning } from '../warnings.ts'
import { type ColumnFacts, readCell } from './cell-value.ts'
import { type Column, type ColumnNames, columnName, findColumns } from './columns.ts'
import { fatalProblem } from './json-rows.ts'
import type { ListedRow, RowList, RowProblem } from './listed-row.ts'
import { findDecimalMark } from './number-text.ts'
import { columnLetters, type Table, type TableRow } from './read-table.ts'

/** What is known before the cells of a table are read. */
export interface TableUse {
  readonly declarations: readonly Declaration[]
  readonly names?: ColumnNames | undefined
  /** Names that the output path takes from each row. */
  readonly placeholders: ReadonlySet<string>
}

const factsOf = ({ rows, delimiter }: Table, { index, variable }: Column): ColumnFacts => {
  const cells = rows.flatMap(({ cells }) => cells[index]?.trim() || [])
  return {
    mark: variable?.type === 'number' ? findDecimalMark(cells, delimiter) : undefined,
    isTicked: cells.length > 0 && cells.every((cell) => cell === 'checked'),
  }
}

/** The first cell beyond the headings that is not empty: a text with the delimiter in it shifts all that follow. */
const surplusProblem = ({ headings, delimiter }: Table, { number, cells }: TableRow): RowProblem | undefined => {
  const beyond = cells.findIndex((cell, index) => index >= headings.length && cell.trim() !== '')
  if (beyond === -1) return undefined
  const name = { '\t': 'a tab', ';': 'a semicolon', '|': 'a bar' }[delimiter] ?? 'a comma'
  const problem = `column ${columnLetters(beyond)} has no heading: a text with ${name} in it must be in quotes`
  return fatalProblem(number, problem, 'surplus')
}

const readRow = (
  row: TableRow,
  columns: readonly (Column & { readonly facts: ColumnFacts })[],
): { readonly listed: ListedRow; readonly problems: readonly RowProblem[] } => {
  const variables: [string, unknown][] = []
  const names: [string, unknown][] = []
  const problems: RowProblem[] = []
  for (const { index, heading, variable, facts } of columns) {
    const text = row.cells[index] ?? ''
    if (!variable) {
      if (heading !== '') names.push([heading, text.trim()])
      continue
    }
    const cell = readCell(text, variable, facts)
    // As spreadsheets show it, so that an output can be named by what people read.
    names.push([variable.id, cell && 'value' in cell ? cell.value : cell ? text : variable.default])
    if (cell === undefined) continue
    if ('value' in cell) variables.push([variable.id, cell.value])
    else {
      variables.push([variable.id, text])
      problems.push({
        row: row.number,
        kind: `cell ${variable.id}`,
        column: columnName({ index, heading }),
        variable: variable.id,
        ...renderWarning('VID_BATCH_UNFIT', { message: `${sentence(cell.problem)}.` }),
      })
    }
  }
  const listed = { number: row.number, variables: Object.fromEntries(variables), names: Object.fromEntries(names) }
  return { listed, problems }
}

/** Columns that neither are variables nor name the output, once each. */
const unusedColumns = (
  table: Table,
  columns: readonly Column[],
  placeholders: ReadonlySet<string>,
): readonly RowProblem[] =>
  columns
    .filter(({ variable, heading, index }) => {
      if (variable || placeholders.has(heading)) return false
      return heading !== '' || table.rows.some(({ cells }) => (cells[index] ?? '').trim() !== '')
    })
    .map((column) => ({
      kind: `column ${column.index}`,
      ...renderWarning('VID_BATCH_COLUMN', {
        message: `${sentence(columnName(column))} is not a variable (${table.rows.length} ${table.rows.length === 1 ? 'row' : 'rows'}).`,
      }),
    }))

/** The rows of a table as values of the declared types; a cell that does not fit keeps its text and is a problem. */
export const tableRows = (table: Table, { declarations, names, placeholders }: TableUse): RowList => {
  const columns = findColumns(table, declarations, names)
  if (!columns.some(({ variable, heading }) => variable || placeholders.has(heading)))
    throw fail('VID_BATCH_HEADINGS', {
      path: table.path,
      headings: table.headings.filter((heading) => heading !== ''),
      variables: declarations.map(({ id }) => id),
    })
  const placed = columns.map((column) => ({ ...column, facts: factsOf(table, column) }))
  const problems: RowProblem[] = [...unusedColumns(table, columns, placeholders)]
  const rows: ListedRow[] = []
  for (const row of table.rows) {
    const surplus = surplusProblem(table, row)
    if (surplus) problems.push(surplus)
    const read = readRow(row, placed)
    rows.push(read.listed)
    problems.push(...read.problems)
  }
  return {
    counted: 'table',
    rows,
    problems,
    columnOf: (id) => {
      const column = columns.find(({ variable }) => variable?.id === id)
      return column && columnName(column)
    },
  }
}
