import type { CloudStatus } from '@vid/client/contract'
import type { WorkParts } from './parts.ts'

/** What metrics are read from. */
export type MetricParts = Pick<WorkParts, 'database' | 'queue'> & {
  /** How old totals may be. */
  readonly totalsSeconds?: number | undefined
}

/** Figures that are counted over whole tables. */
export interface Totals {
  readonly jobs: Readonly<Record<string, number>>
  readonly renders: Readonly<Record<string, number>>
  readonly renderedSeconds: number
}

/** How old these figures may be, in seconds: counting a million rows takes a second. */
const TOTALS_SECONDS = 30

const countTotals = async ({ database, queue }: MetricParts): Promise<Totals> => {
  const rows = await database.rows<{ status: CloudStatus; count: number }>(
    'SELECT status, count(*) AS count FROM vid.renders WHERE deleted_at IS NULL AND shapes IS NULL GROUP BY status',
  )
  const [usage] = await database.rows<{ seconds: number | null }>(
    `SELECT sum(rendered_seconds) AS seconds FROM (
       SELECT rendered_seconds FROM vid.usage UNION ALL SELECT rendered_seconds FROM vid.usage_months) AS used`,
  )
  const none = { queued: 0, rendering: 0, completed: 0, failed: 0 }
  return {
    jobs: { ...(await queue.depth()) },
    renders: { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) },
    renderedSeconds: usage?.seconds ?? 0,
  }
}

/**
 * Reads the totals, which one of all processes counts when they are too old: the one that claims it. The others answer
 * with what was counted last.
 */
export const readTotals = async (parts: MetricParts): Promise<Totals> => {
  const { database } = parts
  const [claim] = await database.rows(
    `INSERT INTO vid.settings AS s (key, value) VALUES ('totals_at', to_jsonb(extract(epoch FROM now())))
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
       WHERE (s.value #>> '{}')::float8 <= extract(epoch FROM now())::float8 - $1::float8
     RETURNING 1`,
    [parts.totalsSeconds ?? TOTALS_SECONDS],
  )
  const [last] = claim
    ? []
    : await database.rows<{ value: Totals }>(`SELECT value FROM vid.settings WHERE key = 'totals'`)
  if (last) return last.value
  const totals = await countTotals(parts)
  await database.run(
    `INSERT INTO vid.settings (key, value) VALUES ('totals', $1) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    [JSON.stringify(totals)],
  )
  return totals
}
