import type { Database, Sql } from '../database/database.ts'
import type { SweepSettings } from './settings.ts'

/** Rows that one transaction works on. */
const BATCH = 500

/** Repeats work on a batch until there is less than a batch left; resolves to how many rows there were. */
const inBatches = async (database: Database, work: (sql: Sql) => Promise<number>): Promise<number> => {
  let total = 0
  for (;;) {
    const count = await database.transaction(work)
    total += count
    if (count < BATCH) return total
  }
}

/** Removes what renders that ended a while ago have left of their work, once for each render. */
export const tidyEnded = (
  database: Database,
  { orphanAfterMs }: Pick<SweepSettings, 'orphanAfterMs'>,
): Promise<number> =>
  inBatches(database, async (sql) => {
    const rows = await sql.rows<{ id: string }>(
      `UPDATE vid.renders SET tidied_at = now() WHERE id = ANY (ARRAY(
         SELECT id FROM vid.renders WHERE tidied_at IS NULL AND completed_at <= now() - make_interval(secs => $1)
         ORDER BY completed_at LIMIT ${BATCH})) RETURNING id`,
      [orphanAfterMs / 1000],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await sql.run('DELETE FROM vid.render_segments WHERE render_id = ANY($1::text[])', [ids])
    // Players may have been at the video of a render that has failed or begun again until now.
    await sql.run(
      `WITH gone AS (
         DELETE FROM vid.streams AS s USING vid.renders AS r
         WHERE s.render_id = ANY($1::text[]) AND r.id = s.render_id AND (r.attempt <> s.attempt OR r.status = 'failed')
         RETURNING s.render_id, s.attempt)
       UPDATE vid.renders AS r SET stream_attempt = NULL FROM gone
       WHERE r.id = gone.render_id AND r.stream_attempt = gone.attempt`,
      [ids],
    )
    return ids.length
  })

/** Adds the usage of renders that ended a while ago to that of the month of their account. */
export const sumUsage = (database: Database, afterMs: number): Promise<number> =>
  inBatches(database, async (sql) => {
    const [row] = await sql.rows<{ count: number }>(
      `WITH gone AS (
         DELETE FROM vid.usage WHERE render_id = ANY (ARRAY(
           SELECT render_id FROM vid.usage WHERE ended_at <= now() - make_interval(secs => $1)
           ORDER BY ended_at LIMIT ${BATCH}))
         RETURNING account_id, ended_at, rendered_seconds, billed_seconds),
       added AS (
         INSERT INTO vid.usage_months AS m (account_id, month, rendered_seconds, billed_seconds)
         SELECT account_id, date_trunc('month', ended_at AT TIME ZONE 'UTC')::date,
           sum(rendered_seconds), sum(billed_seconds)
         FROM gone GROUP BY 1, 2
         ON CONFLICT (account_id, month) DO UPDATE SET
           rendered_seconds = m.rendered_seconds + EXCLUDED.rendered_seconds,
           billed_seconds = m.billed_seconds + EXCLUDED.billed_seconds)
       SELECT count(*) AS count FROM gone`,
      [afterMs / 1000],
    )
    return row?.count ?? 0
  })

/**
 * Deletes renders whose results are older than the server, or their account, keeps them; those with a page stay.
 * Resolves to how many submitted renders there were.
 */
export const endResults = (database: Database, { resultTtlMs }: Pick<SweepSettings, 'resultTtlMs'>): Promise<number> =>
  inBatches(database, async (sql) => {
    const rows = await sql.rows<{ id: string }>(
      `SELECT r.id FROM vid.accounts AS a CROSS JOIN LATERAL (
         SELECT id FROM vid.renders AS r
         WHERE r.account_id = a.id AND r.deleted_at IS NULL AND r.parent_id IS NULL
           AND r.completed_at <= now() - make_interval(secs => COALESCE(a.result_ttl_seconds, $1::float8))
           AND NOT EXISTS (
             SELECT 1 FROM vid.publications AS p JOIN vid.renders AS v ON v.id = p.render_id
             WHERE (v.id = r.id OR v.parent_id = r.id) AND p.unpublished_at IS NULL)
         ORDER BY r.completed_at LIMIT ${BATCH}) AS r
       WHERE COALESCE(a.result_ttl_seconds, $1::float8) IS NOT NULL LIMIT ${BATCH}`,
      [resultTtlMs === null ? null : resultTtlMs / 1000],
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0)
      await sql.run(
        `UPDATE vid.renders SET deleted_at = now()
         WHERE (id = ANY($1::text[]) OR parent_id = ANY($1::text[])) AND deleted_at IS NULL`,
        [ids],
      )
    return ids.length
  })
