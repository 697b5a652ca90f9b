import { readdir, stat } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import { type PlannedRow, pathsOf } from './planned-row.ts'

/** A file or folder of a finished row, and the state in which it was left. */
export interface RowFile {
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
}

const fileOf = async (path: string): Promise<RowFile | undefined> => {
  const facts = await stat(path).catch(() => undefined)
  return facts && { path, bytes: facts.isDirectory() ? 0 : facts.size, modifiedMs: facts.mtimeMs }
}

/** Files beside an output that have its name: posters and captions. */
const besides = async (output: string): Promise<readonly string[]> => {
  const { dir, name } = parse(output)
  const names = await readdir(dir).catch(() => [])
  return names.filter((each) => each.startsWith(`${name}.`) && each !== basename(output)).map((each) => join(dir, each))
}

/** The files of a row that has just ended; null where an output is not on this disk. */
export const readRowFiles = async (row: Pick<PlannedRow, 'requests'>): Promise<readonly RowFile[] | null> => {
  const outputs = pathsOf(row)
  const hasMore = row.requests.some(({ poster, captions }) => poster !== undefined || captions !== undefined)
  const more = hasMore ? (await Promise.all(outputs.map(besides))).flat() : []
  const files = await Promise.all([...new Set([...outputs, ...more])].map(fileOf))
  return files.every((file) => file !== undefined) ? (files as readonly RowFile[]) : null
}

/** Whether the files of a row are as they were left. */
export const areFilesSame = async (files: readonly RowFile[]): Promise<boolean> => {
  const now = await Promise.all(files.map(({ path }) => fileOf(path)))
  return files.every((file, index) => now[index]?.bytes === file.bytes && now[index]?.modifiedMs === file.modifiedMs)
}
