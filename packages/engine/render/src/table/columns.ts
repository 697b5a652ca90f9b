import type { Declaration } from '@vid/core'
import { nearest, parseJson } from '@vid/protocol'
import { fail } from '../errors.ts'
import { columnLetters, type Table } from './read-table.ts'

/** A column of a table, and the variable that its cells are values of. */
export interface Column {
  readonly index: number
  readonly heading: string
  readonly variable: Declaration | undefined
}

/** Names of variables by headings, as `--batch-columns` gives them. */
export type ColumnNames = Readonly<Record<string, string>>

/** Reads pairs such as `Full name=name,Points=points`, or a JSON object for headings with commas. */
export const readColumnNames = (text: string): ColumnNames => {
  const pairs = text.trim().startsWith('{') ? parseJson(text) : Object.fromEntries(text.split(',').map(pairOf))
  const isText =
    typeof pairs === 'object' && pairs !== null && Object.values(pairs).every((id) => typeof id === 'string')
  if (isText) return pairs as ColumnNames
  throw fail('VID_BATCH_COLUMNS', { problem: `"${text}" is not a list of pairs`, known: [], near: undefined })
}

const pairOf = (pair: string): readonly [string, unknown] => {
  const at = pair.lastIndexOf('=')
  return at <= 0 ? [pair, undefined] : [pair.slice(0, at).trim().replace(/\s+/g, ' '), pair.slice(at + 1).trim()]
}

/** What messages call a column. */
export const columnName = ({ index, heading }: Pick<Column, 'index' | 'heading'>): string =>
  heading === '' ? `column ${columnLetters(index)}` : `column ${columnLetters(index)} (${heading})`

const checkNames = (names: ColumnNames, { headings }: Table, declarations: readonly Declaration[]): void => {
  const ids = declarations.map(({ id }) => id)
  for (const [heading, id] of Object.entries(names)) {
    if (!headings.includes(heading))
      throw fail('VID_BATCH_COLUMNS', {
        problem: `there is no column "${heading}"`,
        known: headings.filter((name) => name !== ''),
        near: nearest(heading, headings),
      })
    if (!ids.includes(id))
      throw fail('VID_BATCH_COLUMNS', { problem: `there is no variable "${id}"`, known: ids, near: nearest(id, ids) })
  }
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

const variableOf = (
  heading: string,
  names: ColumnNames,
  declarations: readonly Declaration[],
): Declaration | undefined => {
  if (heading === '') return undefined
  const named = Object.hasOwn(names, heading) ? names[heading] : undefined
  if (named !== undefined) return declarations.find(({ id }) => id === named)
  const lower = heading.toLowerCase()
  return (
    declarations.find(({ id }) => id === heading) ??
    only(declarations.filter(({ label }) => label === heading)) ??
    only(declarations.filter(({ id, label }) => [id.toLowerCase(), label.toLowerCase()].includes(lower)))
  )
}

/** The columns of a table by their headings: the ids of variables or their labels, in any case. */
export const findColumns = (
  table: Table,
  declarations: readonly Declaration[],
  names: ColumnNames = {},
): readonly Column[] => {
  checkNames(names, table, declarations)
  const columns = table.headings.map((heading, index) => ({
    index,
    heading,
    variable: variableOf(heading, names, declarations),
  }))
  for (const { id } of declarations) {
    const same = columns.filter(({ variable }) => variable?.id === id)
    // A column that has the variable's very name is meant before those that are merely alike, unless it was mapped.
    if (same.length > 1)
      throw fail('VID_BATCH_COLUMNS', {
        problem: `${same.map(columnName).join(' and ')} are both values of the variable "${id}"`,
        known: [],
        near: undefined,
      })
  }
  return columns
}
