import type { Sql } from '../database/database.ts'

const MINUTE_MS = 60_000
/** How often each process synchronizes its counts, in milliseconds. */
const SYNC_MS = 1000
const LIMIT_MS = 10_000

interface Count {
  /** Requests of all processes according to the database. */
  shared: number
  /** Requests of this process not yet written to the database. */
  unsent: number
}

/**
 * Counts the requests of accounts per minute over all processes. Each process counts in memory and adds to the database
 * once a second, so together they may let through one second's worth of requests too many. While the database is
 * unreachable, each process counts on its own.
 */
export interface RequestCounts {
  /** Counts a request; returns its number within the minute and the account's limit. */
  add(accountId: string): Promise<{ readonly count: number; readonly limit: number }>
  close(): void
}

/** Adds to the shared counts and returns the sums; sorted, so that two processes never deadlock. */
const SYNC = `
  INSERT INTO vid.request_counts AS known (account_id, minute, requests)
  SELECT account_id, $1::bigint, requests
  FROM unnest($2::text[], $3::integer[]) AS new (account_id, requests) ORDER BY account_id
  ON CONFLICT (account_id, minute) DO UPDATE SET requests = known.requests + EXCLUDED.requests
  RETURNING account_id, requests`

/** Adds the unsent requests of a minute to those of all processes, and reads the sums. */
const syncCounts = async (sql: Sql, minute: number, current: ReadonlyMap<string, Count>): Promise<void> => {
  const counts = [...current].filter(([, { unsent }]) => unsent > 0).map(([id, { unsent }]) => [id, unsent] as const)
  if (counts.length === 0) return
  const rows = await sql.rows<{ account_id: string; requests: number }>(SYNC, [
    minute,
    counts.map(([id]) => id),
    counts.map(([, unsent]) => unsent),
  ])
  for (const [id, unsent] of counts) {
    const count = current.get(id)
    if (count) count.unsent -= unsent
  }
  for (const { account_id: id, requests } of rows) {
    const count = current.get(id)
    if (count) count.shared = requests
  }
}

/** Creates counters without any requests. */
export const createRequestCounts = (sql: Sql): RequestCounts => {
  const limits = new Map<string, { readonly limit: number; readonly readMs: number }>()
  let counts = new Map<string, Count>()
  let minute = 0
  let isSyncing = false

  const thisMinute = () => {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) {
      counts = new Map()
      limits.clear()
      minute = now
    }
    return counts
  }
  const limitOf = async (accountId: string): Promise<number> => {
    const entry = limits.get(accountId)
    if (entry && Date.now() - entry.readMs < LIMIT_MS) return entry.limit
    const [row] = await sql.rows<{ requests_per_minute: number }>(
      'SELECT requests_per_minute FROM vid.accounts WHERE id = $1',
      [accountId],
    )
    const limit = row?.requests_per_minute ?? 0
    limits.set(accountId, { limit, readMs: Date.now() })
    return limit
  }
  const sync = async () => {
    const of = minute
    const current = thisMinute()
    if (of === minute) await syncCounts(sql, minute, current)
  }
  const syncing = setInterval(() => {
    if (isSyncing) return
    isSyncing = true
    sync()
      // The next synchronization includes these counts.
      .catch(() => {})
      .finally(() => {
        isSyncing = false
      })
  }, SYNC_MS)
  syncing.unref()
  return {
    async add(accountId) {
      const limit = await limitOf(accountId)
      const current = thisMinute()
      const count = current.get(accountId) ?? { shared: 0, unsent: 0 }
      current.set(accountId, count)
      count.unsent += 1
      return { count: count.shared + count.unsent, limit }
    },
    close: () => clearInterval(syncing),
  }
}

/** Removes the counts of past minutes. */
export const removeOldCounts = async (sql: Sql): Promise<void> => {
  await sql.run('DELETE FROM vid.request_counts WHERE minute < $1', [Math.floor(Date.now() / MINUTE_MS) - 5])
}
