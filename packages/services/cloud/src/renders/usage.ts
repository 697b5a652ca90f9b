import type { Sql } from '../database/database.ts'

/** The usage of an account since the first day of the month, UTC. */
interface Usage {
  readonly start: Date
  readonly end: Date
  readonly renderedSeconds: number
  /** The same, with 4k counted 1.5 times. */
  readonly billedSeconds: number
}

/** Reads the usage of an account in the month of `now`. */
export const readUsage = async (sql: Sql, accountId: string, now = new Date()): Promise<Usage> => {
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  const start = new Date(Date.UTC(year, month, 1))
  const end = new Date(Date.UTC(year, month + 1, 1))
  const [row] = await sql.rows<{ rendered: number; billed: number }>(
    // A sweep adds the usage of renders that ended a while ago to that of the month.
    `SELECT coalesce(sum(rendered_seconds), 0)::double precision AS rendered,
            coalesce(sum(billed_seconds), 0)::double precision AS billed
     FROM (
       SELECT rendered_seconds, billed_seconds FROM vid.usage
       WHERE account_id = $1 AND ended_at >= $2 AND ended_at < $3
       UNION ALL
       SELECT rendered_seconds, billed_seconds FROM vid.usage_months
       WHERE account_id = $1 AND month = ($2::timestamptz AT TIME ZONE 'UTC')::date) AS used`,
    [accountId, start.toISOString(), end.toISOString()],
  )
  return { start, end, renderedSeconds: row?.rendered ?? 0, billedSeconds: row?.billed ?? 0 }
}
