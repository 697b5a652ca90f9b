import { digestOf } from '@vid/system'
import type { QueryResult } from 'pg'
import { fail } from '../errors.ts'
import { type Database, databaseError, isUnprepared, repeatCollisions, type SqlResult, sqlOf } from './database.ts'

/** Postgres type id of 64-bit integers. */
const INT8 = 20
const CONNECT_MS = 5000
/** Connections of a process, if its operator says nothing else. */
const MAX_CONNECTIONS = 12
/** Seconds after which a client may retry while all connections are in use. */
const RETRY_SECONDS = 5

/** How a process uses a Postgres server. */
export interface PoolOptions {
  /** Most connections of this process. */
  readonly connections?: number | undefined
  /** Longest wait for a connection, in milliseconds. */
  readonly connectMs?: number | undefined
}

const resultOf = <T>({ rows, rowCount }: Pick<QueryResult, 'rows' | 'rowCount'>): SqlResult<T> => ({
  rows: rows as T[],
  rowCount: rowCount ?? 0,
})

/** Opens a pool, and says what the error of a statement means. */
const openPool = async (
  connectionString: string,
  { connections = MAX_CONNECTIONS, connectMs = CONNECT_MS }: PoolOptions,
) => {
  const { default: pg } = await import('pg')
  const types = {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(id, format as 'text'),
  }
  const pool = new pg.Pool({
    connectionString,
    types: types as never,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'vid-cloud',
  })
  // A closed idle connection is replaced on the next use.
  pool.on('error', () => {})
  let busy = 0
  pool.on('acquire', () => {
    busy += 1
  })
  pool.on('release', () => {
    busy -= 1
  })
  const coded = (thrown: unknown): unknown => {
    const isLate = thrown instanceof Error && thrown.message.startsWith('timeout exceeded when trying to connect')
    // With all connections in use, the database can be reached.
    if (!isLate || busy < connections) return databaseError(thrown)
    return fail('VID_CLOUD_DATABASE_BUSY', { connections, retryAfterSeconds: RETRY_SECONDS }, { cause: thrown })
  }
  return { pool, coded }
}

/** Opens a connection pool; it connects on first use. */
export const openPostgres = async (connectionString: string, options: PoolOptions = {}): Promise<Database> => {
  const { pool, coded } = await openPool(connectionString, options)
  const query = async <T>(text: string, values: readonly unknown[]): Promise<SqlResult<T>> => {
    try {
      // Without parameters, the text may contain several statements; the last one returns the rows.
      const result = (await pool.query(text, values.length > 0 ? [...values] : undefined)) as
        | QueryResult
        | QueryResult[]
      return resultOf(Array.isArray(result) ? (result.at(-1) as QueryResult) : result)
    } catch (thrown) {
      throw coded(thrown)
    }
  }
  // A pooler between this process and the server may know nothing of prepared statements.
  let canPrepare = true
  const once = async <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
    const client = await pool.connect().catch((thrown: unknown) => {
      throw coded(thrown)
    })
    // A connection that breaks between statements is reported by the next statement.
    client.on('error', () => {})
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const run = async <R>(text: string, values: readonly unknown[], name?: string) =>
        resultOf<R>(await client.query({ text, values: [...values], ...(name !== undefined && { name }) }))
      // Named by its text: a pooler may give this process a connection on which another version has prepared its own.
      const prepared: typeof run = (text, values) =>
        run(text, values, canPrepare ? `vid_${digestOf(text).slice(0, 16)}` : undefined)
      const result = await work(sqlOf(run, prepared))
      await client.query('COMMIT')
      return result as T
    } catch (thrown) {
      if (isUnprepared(thrown)) canPrepare = false
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause
      })
      throw coded(thrown)
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
