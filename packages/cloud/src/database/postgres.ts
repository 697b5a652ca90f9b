import type { QueryResult } from 'pg'
import { type Database, databaseError, repeatCollisions, type SqlResult, sqlOf } from './database.ts'

/** Postgres type id of 64-bit integers. */
const INT8 = 20
const CONNECT_MS = 5000
/** Connections per process. */
const MAX_CONNECTIONS = 12

const resultOf = <T>({ rows, rowCount }: Pick<QueryResult, 'rows' | 'rowCount'>): SqlResult<T> => ({
  rows: rows as T[],
  rowCount: rowCount ?? 0,
})

/** Opens a connection pool; it connects on first use. */
export const openPostgres = async (connectionString: string): Promise<Database> => {
  const { default: pg } = await import('pg')
  const types = {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(id, format as 'text'),
  }
  const pool = new pg.Pool({
    connectionString,
    types: types as never,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'vid-cloud',
  })
  // A closed idle connection is replaced on the next use.
  pool.on('error', () => {})
  const query = async <T>(text: string, values: readonly unknown[]): Promise<SqlResult<T>> => {
    try {
      // Without parameters, the text may contain several statements; the last one returns the rows.
      const result = (await pool.query(text, values.length > 0 ? [...values] : undefined)) as
        | QueryResult
        | QueryResult[]
      return resultOf(Array.isArray(result) ? (result.at(-1) as QueryResult) : result)
    } catch (thrown) {
      throw databaseError(thrown)
    }
  }
  const once = async <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
    const client = await pool.connect().catch((thrown: unknown) => {
      throw databaseError(thrown)
    })
    // A connection that breaks between statements is reported by the next statement.
    client.on('error', () => {})
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work(sqlOf(async (text, values) => resultOf(await client.query(text, [...values]))))
      await client.query('COMMIT')
      return result as T
    } catch (thrown) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause
      })
      throw databaseError(thrown)
    } finally {
      client.removeAllListeners('error')
      client.release(broken)
    }
  }
  return {
    kind: 'postgres',
    ...sqlOf(query),
    transaction: (work) => repeatCollisions(() => once(work)),
    async script(text) {
      await query(text, [])
    },
    close: () => pool.end(),
  }
}
