import { describeCause } from '@vid/protocol'
import { retry } from '@vid/system'
import { fail } from '../errors.ts'

/** The result of a statement. */
export interface SqlResult<T> {
  readonly rows: T[]
  /** Number of rows returned or changed. */
  readonly rowCount: number
}

/** Runs statements. 64-bit integers are returned as numbers, timestamps as Date, and JSON parsed. */
export interface Sql {
  /** Runs one statement with the placeholders `$1`, `$2`, …; pass JSON as text. */
  run<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<SqlResult<T>>
  /** Runs one statement and returns its rows. */
  rows<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
  /**
   * Like `rows`, for a long statement that is run often: a connection plans it once, and again when statistics change. Its
   * plan must suit tables of any size.
   */
  prepared<T = Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<T[]>
}

/** The server's database: a Postgres server, or an embedded one. */
export interface Database extends Sql {
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs work in a transaction. It is repeated after a serialization failure or a deadlock, so `work` must do nothing
   * but run statements.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Runs several statements without parameters. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

const codeOf = (thrown: unknown): string => String((thrown as { readonly code?: unknown } | null)?.code ?? '')

/** Whether a prepared statement is not there, or there already: a pooler gives each transaction another connection. */
export const isUnprepared = (thrown: unknown): boolean => ['26000', '42P05'].includes(codeOf(thrown))

/** Whether a transaction failed because it collided with another one, and will succeed if it is repeated. */
const isCollision = (thrown: unknown): boolean => ['40001', '40P01'].includes(codeOf(thrown)) || isUnprepared(thrown)

/** Error codes of connections that could not be opened, or were closed. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  // Shutdown, crash and start of the server; too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Error codes of a database whose machine has no space or memory left, or whose disk is broken. */
const LACKS = new Set(['53100', '53200', '58030'])

/** Error codes of a text with a NUL character or half a character, which Postgres cannot store. */
const UNFIT_TEXT = new Set(['22021', '22P05'])

/** Errors that say that the database is unreachable or overloaded. */
const AWAY_CODES = ['VID_CLOUD_DATABASE_AWAY', 'VID_CLOUD_DATABASE_LACKS', 'VID_CLOUD_DATABASE_BUSY']

/** Whether a statement has found the database unreachable or overloaded. */
export const isDatabaseAway = (thrown: unknown): boolean => AWAY_CODES.includes(codeOf(thrown))

/** Whether the database is unreachable, overloaded or cannot store anything: the same statement may succeed later. */
export const isAway = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  if (isDatabaseAway(thrown) || LACKS.has(code) || AWAY.has(code) || /^08/.test(code)) return true
  const text = thrown instanceof Error ? thrown.message : ''
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    text,
  )
}

/** Seconds after which a client may retry. */
const RETRY_SECONDS = 5

/** Translates the error of a failed statement. */
export const databaseError = (thrown: unknown): unknown => {
  const code = codeOf(thrown)
  if (UNFIT_TEXT.has(code)) return fail('VID_CLOUD_TEXT_UNFIT', {}, { cause: thrown })
  if (!isAway(thrown) || code.startsWith('VID_')) return thrown
  const facts = { reason: describeCause(thrown) || code, retryAfterSeconds: RETRY_SECONDS }
  if (LACKS.has(code)) return fail('VID_CLOUD_DATABASE_LACKS', facts, { cause: thrown })
  return fail('VID_CLOUD_DATABASE_AWAY', facts, { cause: thrown })
}

const MAX_REPEATS = 9

/** Repeats a transaction that collides with another one. */
export const repeatCollisions = <T>(transact: () => Promise<T>): Promise<T> =>
  retry(transact, { may: isCollision, retries: MAX_REPEATS })

type Query = <T>(text: string, values: readonly unknown[]) => Promise<SqlResult<T>>

/** Wraps a query function as `Sql`, and one for prepared statements where there are any. */
export const sqlOf = (query: Query, prepared = query): Sql => ({
  run: (text, values = []) => query(text, values),
  rows: async <T>(text: string, values: readonly unknown[] = []) => (await query<T>(text, values)).rows,
  prepared: async <T>(text: string, values: readonly unknown[]) => (await prepared<T>(text, values)).rows,
})
