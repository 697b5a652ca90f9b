import type { RowCounting } from '../row-words.ts'

/** Values by name. */
export type BatchRow = Readonly<Record<string, unknown>>

/** One row of a list. */
export interface ListedRow {
  /** Its number in messages. */
  readonly number: number
  /** Values of variables. */
  readonly variables: BatchRow
  /** Values that the output path can name. */
  readonly names: BatchRow
}

/** Something in a list that does not fit. */
export interface RowProblem {
  /** Left out for one of the whole list. */
  readonly row?: number
  /** Equal for problems that are one mistake. */
  readonly kind: string
  /** What messages call its column. */
  readonly column?: string
  /** The variable whose value it is. */
  readonly variable?: string
  readonly code: string
  /** A whole sentence. */
  readonly message: string
  /** Whether it is an error without strict checking too. */
  readonly isFatal?: true
  /** Whether strict checking of values lets it pass, since it is not about them. */
  readonly isLoose?: true
}

/** The rows of a list, and what does not fit. */
export interface RowList {
  readonly counted: RowCounting
  readonly rows: readonly ListedRow[]
  readonly problems: readonly RowProblem[]
  /** What messages call the column of a variable; undefined where there are no columns. */
  columnOf(variable: string): string | undefined
}
