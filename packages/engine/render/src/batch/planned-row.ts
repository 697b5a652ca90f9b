import type { RenderRequestInput, Warning } from '@vid/protocol'
import type { PreparedRender } from '../prepare/prepare.ts'
import type { BatchRow } from '../table/listed-row.ts'

/** One row, ready to render. */
export interface PlannedRow {
  /** Counted over all rows, in each of their shapes. */
  readonly index: number
  /** Number of the row in its file, where each is rendered in several shapes. */
  readonly row?: number
  /** Its number in messages, where its file does not count rows from 0. */
  readonly number?: number
  readonly variables: BatchRow
  /** Shape of its picture, where one was requested. */
  readonly shape?: string
  readonly requests: readonly RenderRequestInput[]
  /** Path of its first output. */
  readonly outputPath: string
}

/** A checked batch, ready to start. */
export interface PlannedBatch {
  readonly prepared: PreparedRender
  readonly rows: readonly PlannedRow[]
  /** Absolute; empty when the rows do not come from a file. */
  readonly batchPath: string
  /** Absolute; empty when no file lists the rows. */
  readonly manifestPath: string
  /** Whether the page may read the list of rows itself. */
  readonly isListRead?: boolean
  readonly warnings: readonly Warning[]
}

/** Paths of all outputs of a row. */
export const pathsOf = ({ requests }: Pick<PlannedRow, 'requests'>): readonly string[] =>
  requests.flatMap(({ output, outputs = [] }) => [output, ...outputs.map((other) => other.output)])
