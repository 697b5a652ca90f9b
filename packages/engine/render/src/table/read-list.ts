import { resolve } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { describeCause } from '@vid/protocol'
import { decodeText, readGivenBytes } from '@vid/system'
import { fail } from '../errors.ts'
import { readJson, readJsonLines } from './json-rows.ts'
import type { BatchRow, ListedRow, RowList } from './listed-row.ts'
import { readTable, type Table } from './read-table.ts'
import { type TableUse, tableRows } from './table-rows.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** Rows of a batch at most: each is in the manifest, which is written again and again. */
const MAX_ROWS = 50_000

/** Rows as a program has them, or a table whose cells are not values yet. */
export type GivenRows = readonly BatchRow[] | RowsFile

/** The content of a file of rows. */
export type RowsFile =
  | {
      readonly kind: 'values'
      readonly counted: 'index' | 'line'
      readonly rows: readonly (readonly [number, BatchRow])[]
    }
  | { readonly kind: 'table'; readonly table: Table }

/** What a file is when its first bytes show that it is no text. */
const BINARY: readonly (readonly [what: string, start: readonly number[]])[] = [
  ['a packed file, such as a workbook of Excel, Numbers or LibreOffice', [0x50, 0x4b, 0x03, 0x04]],
  ['a workbook of an old Excel', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['compressed with gzip', [0x1f, 0x8b]],
  ['a Parquet file', [0x50, 0x41, 0x52, 0x31]],
  ['a SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
]

/** Bytes that are piped into a process; or their number when that is over the limit. */
const readPiped = async (
  stdin: AsyncIterable<Uint8Array | string>,
  signal?: AbortSignal,
): Promise<{ readonly content: Uint8Array } | { readonly bytes: number }> => {
  if ((stdin as { readonly isTTY?: boolean }).isTTY) throw new Error('nothing is piped into this command')
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of signal ? addAbortSignal(signal, Readable.from(stdin)) : stdin) {
    parts.push(typeof part === 'string' ? Buffer.from(part) : part)
    bytes += part.length
    if (bytes > MAX_BYTES) return { bytes }
  }
  return { content: Buffer.concat(parts) }
}

/** Where rows are read. */
export interface ListPlace {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  readonly signal?: AbortSignal | undefined
  /** What `-` stands for; by default, the standard input of this process. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
}

const bytesOf = async (path: string, { cwd, signal, stdin = process.stdin }: ListPlace): Promise<Uint8Array> => {
  const reading = path === '-' ? readPiped(stdin, signal) : readGivenBytes(resolve(cwd, path), MAX_BYTES, signal)
  const read = await reading.catch((cause) => {
    signal?.throwIfAborted()
    throw fail('VID_BATCH_UNREADABLE', { path, reason: describeCause(cause) }, { cause })
  })
  if ('content' in read) return read.content
  throw fail('VID_BATCH_TOO_LARGE', { path, bytes: read.bytes, maxBytes: MAX_BYTES })
}

/** The text of a file of rows; `-` is the standard input. */
export const readRowsText = async (path: string, place: ListPlace): Promise<string> => {
  const bytes = await bytesOf(path, place)
  const binary = BINARY.find(([, start]) => start.every((byte, index) => bytes[index] === byte))
  if (binary) throw fail('VID_BATCH_FORMAT', { path, what: binary[0] })
  const decoded = decodeText(bytes)
  if (decoded) return decoded.text.replace(/^\ufeff/, '')
  throw fail('VID_BATCH_FORMAT', { path, what: 'text neither in UTF-8 nor in UTF-16 nor in Windows-1252' })
}

type Format = 'json' | 'lines' | 'table'

const EXTENSIONS: Readonly<Record<string, Format>> = {
  json: 'json',
  jsonl: 'lines',
  ndjson: 'lines',
  csv: 'table',
  tsv: 'table',
  tab: 'table',
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The format that the name of a file says, else the one that its text has. */
const formatOf = (path: string, text: string): Format => {
  const named = EXTENSIONS[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '']
  if (named) return named
  const start = text.trimStart()
  if (!/^[[{]/.test(start)) return 'table'
  const [first = ''] = start.split('\n', 1)
  return start.startsWith('{') && isJson(first) && !isJson(text) ? 'lines' : 'json'
}

const checkCount = (path: string, rows: number): void => {
  if (rows > MAX_ROWS) throw fail('VID_BATCH_MANY', { path, rows, maxRows: MAX_ROWS })
}

/** Reads a file of rows: a table, JSON, or JSON a line; `-` is the standard input. */
export const readRowsFile = async (path: string, place: ListPlace): Promise<RowsFile> => {
  const name = path === '-' ? 'standard input' : path
  const text = await readRowsText(path, place)
  if (/^\s*<(?:!doctype|html|head|body|\?xml|table)\b/i.test(text))
    throw fail('VID_BATCH_FORMAT', { path: name, what: 'a page of HTML or XML' })
  if (text.trim() === '') throw fail('VID_BATCH_EMPTY', { path: name })
  const format = formatOf(path, text)
  if (format === 'table') {
    const table = await readTable(name, text, /\.(?:tsv|tab)$/i.test(path) ? '\t' : undefined)
    checkCount(name, table.rows.length)
    return { kind: 'table', table }
  }
  const rows =
    format === 'lines' ? readJsonLines(text, name) : readJson(text, name).map((row, index) => [index, row] as const)
  checkCount(name, rows.length)
  return { kind: 'values', counted: format === 'lines' ? 'line' : 'index', rows }
}

const listed = ([number, row]: readonly [number, BatchRow]): ListedRow => ({ number, variables: row, names: row })

/** The rows of a list, with their cells as values. */
export const listRows = (source: GivenRows, use: TableUse): RowList => {
  if ('kind' in source && source.kind === 'table') return tableRows(source.table, use)
  const rows = 'kind' in source ? source.rows : source.map((row, index) => [index, row] as const)
  const counted = 'kind' in source ? source.counted : 'index'
  return { counted, rows: rows.map(listed), problems: [], columnOf: () => undefined }
}

/** The rows of a file as values of a composition's variables, for what shows or checks them and writes no file. */
export const readVariableRows = async (
  path: string,
  { projectDir, entry = 'index.html' }: { readonly projectDir: string; readonly entry?: string },
  place: ListPlace,
): Promise<readonly ListedRow[]> => {
  const { cwd, signal } = place
  const file = await readRowsFile(path, place)
  if (file.kind === 'values') return file.rows.map(listed)
  const { loadComposition } = await import('@vid/core')
  const { composition } = await loadComposition(resolve(cwd, projectDir), entry, { ...(signal && { signal }) })
  return listRows(file, { declarations: composition.declarations, placeholders: new Set() }).rows
}
