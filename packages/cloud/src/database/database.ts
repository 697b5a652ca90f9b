import { describeCause } from '@vid/kernel'
import { retry } from '@vid/system'
import { fail } from '../errors.ts'

/** What a statement has done. */
export interface SqlResult<T> {
  readonly rows: T[]
  /** Rows that it has returned or changed. */
  readonly rowCount: number
}

/** Runs statements. Whole numbers of 64 bits come as numbers, times as Date, JSON as values. */
export interface Sql {
  /** One statement with `$1`, `$2`, … for the values; JSON is given as text. */
  run<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<SqlResult<T>>
  /** The rows of one statement. */
  rows<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
}

/** The database of the server: a Postgres elsewhere, or one inside this process. */
export interface Database extends Sql {
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs work that happens whole or not at all; repeated when it met another transaction, so it may do nothing else than
   * statements.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Several statements without values. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

const codeOf = (thrown: unknown): string => String((thrown as { readonly code?: unknown } | null)?.code ?? '')

/** Whether a transaction met another one, and will succeed when it is repeated. */
const isCollision = (thrown: unknown): boolean => ['40001', '40P01'].includes(codeOf(thrown))

/** Codes of connections that were not made, or ended. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  // Shutdown, crash, start of the server; too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Whether the database cannot be reached at the moment: the same statement may succeed later. */
export const isAway = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  if (code === 'VID_CLOUD_DATABASE_AWAY' || AWAY.has(code) || /^08/.test(code)) return true
  const text = thrown instanceof Error ? thrown.message : ''
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    text,
  )
}

/** Seconds after which a client may try again. */
const RETRY_SECONDS = 5

/** The error to report for a failed statement. */
export const databaseError = (thrown: unknown): unknown => {
  if (!isAway(thrown) || codeOf(thrown) === 'VID_CLOUD_DATABASE_AWAY') return thrown
  const facts = { reason: describeCause(thrown) || codeOf(thrown), retryAfterSeconds: RETRY_SECONDS }
  return fail('VID_CLOUD_DATABASE_AWAY', facts, { cause: thrown })
}

const MAX_REPEATS = 9

/** Repeats a transaction that met another one. */
export const repeatCollisions = <T>(transact: () => Promise<T>): Promise<T> =>
  retry(transact, { may: isCollision, retries: MAX_REPEATS })

/** Bare statements of a connection with the two ways to run them. */
export const sqlOf = (query: <T>(text: string, values: readonly unknown[]) => Promise<SqlResult<T>>): Sql => ({
  run: (text, values = []) => query(text, values),
  rows: async <T>(text: string, values: readonly unknown[] = []) => (await query<T>(text, values)).rows,
})
