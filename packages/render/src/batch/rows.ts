import { resolve } from 'node:path'
import { describeCause, isTooDeep, MAX_NESTING } from '@vid/kernel'
import { readGivenFile } from '@vid/system'
import { fail, throwErrors } from '../errors.ts'

/** Variables of one video, by name. */
export type BatchRow = Readonly<Record<string, unknown>>

const MAX_BYTES = 64 * 1024 * 1024

/** The text of a file of rows; `path` starts at `cwd`. */
export const readRowsText = async (path: string, cwd: string, signal?: AbortSignal): Promise<string> => {
  const content = await readGivenFile(resolve(cwd, path), MAX_BYTES, signal).catch((cause) => {
    signal?.throwIfAborted()
    throw fail('VID_BATCH_UNREADABLE', { path, reason: describeCause(cause) }, { cause })
  })
  if ('text' in content) return content.text
  throw fail('VID_BATCH_TOO_LARGE', { path, bytes: content.bytes, maxBytes: MAX_BYTES })
}

const isObject = (value: unknown): value is BatchRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describe = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

/** The reason why a value is not a row; undefined if it is one. */
export const rowProblem = (value: unknown): string | undefined => {
  if (!isObject(value)) return `it is ${describe(value)}, not an object`
  return isTooDeep(value) ? `it nests deeper than ${MAX_NESTING} levels` : undefined
}

/** The rows of a batch: an array of objects, or an object with such an array in `rows`; `path` names it in errors. */
export const checkRows = (value: unknown, path: string): BatchRow[] => {
  const rows = isObject(value) ? value.rows : value
  if (!Array.isArray(rows))
    throw fail('VID_BATCH_SHAPE', { path, found: rows === undefined ? undefined : describe(rows) })
  if (rows.length === 0) throw fail('VID_BATCH_EMPTY', { path })
  throwErrors(
    rows.flatMap((row, index) => {
      const problem = rowProblem(row)
      return problem === undefined ? [] : [fail('VID_BATCH_ROW', { index, problem })]
    }),
  )
  return rows as BatchRow[]
}

/** Reads the rows of a JSON file; `path` starts at `cwd`. */
export const readRows = async (path: string, cwd: string, signal?: AbortSignal): Promise<BatchRow[]> => {
  const text = await readRowsText(path, cwd, signal)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw fail('VID_BATCH_JSON', { path, reason: describeCause(cause) }, { cause })
  }
  return checkRows(value, path)
}
