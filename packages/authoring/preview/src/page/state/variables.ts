import { computed, signal } from '@preact/signals'
import type { RowsReply } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { details, entry } from './project.ts'
import { read, sendJson } from './server.ts'

/** Values by the id of a variable. */
export type Values = Readonly<Record<string, unknown>>

/** What was changed in the form or set by a row, over the values of the config and the defaults. */
export const edits = signal<Values>({})

/** The rows of a batch, and which of them is shown; null while no batch is loaded. */
export const batch = signal<{
  readonly name: string
  /** Whether it is a file of the project, which is read again after each change. */
  readonly isOwn: boolean
  readonly rows: RowsReply['rows']
  readonly index: number
} | null>(null)

/** What each variable is without edits. */
export const baseValues = computed<Values>(() => ({
  ...Object.fromEntries((details.value?.variables ?? []).map((variable) => [variable.id, variable.default])),
  ...details.value?.values,
}))

/** What each variable is. */
export const values = computed<Values>(() => ({ ...baseValues.value, ...edits.value }))

/** Sets one variable; the value that it has anyway is no edit. */
export const setVariable = (id: string, value: unknown): void => {
  const { [id]: _, ...others } = edits.value
  edits.value = value === baseValues.value[id] ? others : { ...others, [id]: value }
}

/** Gives one variable the value that it has without edits. */
export const resetVariable = (id: string): void => {
  const { [id]: _, ...others } = edits.value
  edits.value = others
}

/** Shows a row of the batch. */
export const showRow = (index: number): void => {
  const file = batch.value
  const row = file?.rows[index]
  if (!file || !row) return
  batch.value = { ...file, index }
  edits.value = row.values
}

/** The files of the project that hold the rows of a batch. */
export const batchFiles = signal<readonly string[]>([])

/** Loads a batch and shows its first row. */
export const loadBatch = async (name: string, text: string): Promise<void> => {
  const { rows } = await sendJson<RowsReply>(API.rows, { entry: entry.value, text })
  batch.value = { name, isOwn: false, rows, index: 0 }
  showRow(0)
}

/** Loads a batch file of the project, and shows its first row. */
export const loadBatchFile = async (file: string): Promise<void> => {
  const { rows } = await sendJson<RowsReply>(API.rows, { entry: entry.value, file })
  batch.value = { name: file, isOwn: true, rows, index: 0 }
  showRow(0)
}

/** Reads after a change which batch files there are, and the rows of the one that is loaded, at the same row. */
export const renewBatches = async (signal: AbortSignal): Promise<void> => {
  batchFiles.value = (await read<{ readonly files: readonly string[] }>(API.batches, signal)).files
  const file = batch.peek()
  if (!file?.isOwn || !batchFiles.value.includes(file.name)) return
  const body = { entry: entry.peek(), file: file.name }
  const { rows } = await sendJson<RowsReply>(API.rows, body, signal)
  if (batch.peek() !== file || JSON.stringify(rows) === JSON.stringify(file.rows)) return
  batch.value = { ...file, rows }
  showRow(Math.min(file.index, rows.length - 1))
}

/** Forgets the batch and all edits. */
export const resetAll = (): void => {
  batch.value = null
  edits.value = {}
}
