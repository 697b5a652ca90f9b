import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFile, makeFolder } from '@vid/system'
import { EMPTY_DATABASE } from '../empty-database.ts'
import { fail } from '../errors.ts'
import { type Database, databaseError, repeatCollisions, type SqlResult, sqlOf } from './database.ts'

const INT8 = 20

interface Result {
  readonly rows: unknown[]
  readonly affectedRows?: number
}

const resultOf = <T>({ rows, affectedRows = 0 }: Result): SqlResult<T> => ({
  rows: rows as T[],
  rowCount: rows.length || affectedRows,
})

/** Folder of the embedded database within a state folder. */
export const databaseFolder = (state: string): string => join(state, 'database')

const dataOf = (folder: string): string => join(folder, 'postgres')

/** Whether a folder contains a database. */
export const hasDatabase = (folder: string): Promise<boolean> =>
  access(dataOf(folder)).then(
    () => true,
    () => false,
  )

/** Opens an embedded Postgres with its files in a folder, which only one process may use at a time. */
export const openEmbedded = async (folder: string): Promise<Database> => {
  await makeFolder(folder, 0o700)
  const lock = await lockFile(join(folder, 'lock'))
  if (lock.release === undefined) throw fail('VID_CLOUD_STATE_LOCKED', { folder, holder: lock.holder })
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const lite = await PGlite.create({
      dataDir: dataOf(folder),
      parsers: { [INT8]: Number },
      ...(!(await hasDatabase(folder)) && { loadDataDir: new Blob([await readFile(EMPTY_DATABASE)]) }),
    })
    const run =
      (on: Pick<typeof lite, 'query' | 'exec'>) =>
      async <T>(text: string, values: readonly unknown[]): Promise<SqlResult<T>> => {
        try {
          if (values.length > 0) return resultOf(await on.query(text, [...values]))
          return resultOf((await on.exec(text)).at(-1) ?? { rows: [] })
        } catch (thrown) {
          throw databaseError(thrown)
        }
      }
    return {
      kind: 'embedded',
      ...sqlOf(run(lite)),
      transaction: (work) => repeatCollisions(() => lite.transaction((on) => work(sqlOf(run(on as never))))) as never,
      async script(text) {
        await lite.exec(text)
      },
      async close() {
        await lite.close()
        await lock.release()
      },
    }
  } catch (thrown) {
    await lock.release()
    throw thrown
  }
}
