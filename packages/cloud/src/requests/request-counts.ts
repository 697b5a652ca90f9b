import type { Sql } from '../database/database.ts'

const MINUTE_MS = 60_000
/** How often the processes tell each other their counts. */
const SYNC_MS = 1000
const LIMIT_MS = 10_000

interface Count {
  /** Requests that the database knows of, of all processes. */
  shared: number
  /** Requests of this process that it does not know of yet. */
  unsent: number
}

/**
 * Counts the requests of accounts by the minute over all processes. Each process counts in memory and adds to the
 * database once a second, so that together they may let through what they get in one second too many; while the
 * database is away, each counts for itself.
 */
export interface RequestCounts {
  /** Counts one request: which of this minute it is, and how many the account may send in a minute. */
  add(accountId: string): Promise<{ readonly count: number; readonly limit: number }>
  close(): void
}

/** Adds to the counts of all processes and returns their sums; sorted, so that two processes never wait for each other. */
const SYNC = `
  INSERT INTO vid.request_counts AS known (account_id, minute, requests)
  SELECT account_id, $1::bigint, requests
  FROM unnest($2::text[], $3::integer[]) AS new (account_id, requests) ORDER BY account_id
  ON CONFLICT (account_id, minute) DO UPDATE SET requests = known.requests + EXCLUDED.requests
  RETURNING account_id, requests`

/** Begins with nothing counted. */
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
    const counts = [...current].filter(([, { unsent }]) => unsent > 0).map(([id, { unsent }]) => [id, unsent] as const)
    if (counts.length === 0 || of !== minute) return
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
  const syncing = setInterval(() => {
    if (isSyncing) return
    isSyncing = true
    sync()
      // It tries again with the next counts.
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

/** Removes counts that no longer count. */
export const removeOldCounts = async (sql: Sql): Promise<void> => {
  await sql.run('DELETE FROM vid.request_counts WHERE minute < $1', [Math.floor(Date.now() / MINUTE_MS) - 5])
}
