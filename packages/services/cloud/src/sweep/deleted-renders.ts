import type { Sql } from '../database/database.ts'
import { endDeleted } from '../queue/endings.ts'
import { streamsPrefix } from '../streams/stream-key.ts'
import { removePrefix } from '../worker/finish-render.ts'
import type { WorkParts } from '../worker/parts.ts'
import { resultPrefix, workPrefix } from '../worker/storage-keys.ts'
import type { SweepSettings } from './settings.ts'

const MAX_AT_ONCE = 200

/** Removes the files of deleted renders after a delay, and their rows after a longer one. */
export const removeDeleted = async (
  { database, storage }: Pick<WorkParts, 'database' | 'storage'>,
  { purgeAfterMs, forgetAfterMs }: Pick<SweepSettings, 'purgeAfterMs' | 'forgetAfterMs'>,
): Promise<number> => {
  await endDeleted(database)
  // Skips renders that are still being worked on, which would write files after the removal.
  const find = () =>
    database.rows<{ id: string }>(
      `SELECT id FROM vid.renders AS r
       WHERE deleted_at <= now() - make_interval(secs => $1) AND purged_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM vid.worker_jobs WHERE render_id = r.id)
       ORDER BY deleted_at LIMIT $2`,
      [purgeAfterMs / 1000, MAX_AT_ONCE],
    )
  let removed = 0
  for (let rows = await find(); rows.length > 0; rows = await find()) {
    for (const { id } of rows) {
      for (const prefix of [workPrefix(id), resultPrefix(id), streamsPrefix(id)]) await removePrefix(storage, prefix)
      await database.run('DELETE FROM vid.streams WHERE render_id = $1', [id])
      await database.run(
        `UPDATE vid.renders SET purged_at = now(), plan_key = NULL, video_key = NULL, thumbnail_key = NULL,
           poster_key = NULL, stream_attempt = NULL
         WHERE id = $1`,
        [id],
      )
    }
    removed += rows.length
  }
  for (let count = MAX_AT_ONCE; count === MAX_AT_ONCE; ) {
    const { rowCount } = await database.run(
      `DELETE FROM vid.renders WHERE id = ANY (ARRAY(
         SELECT id FROM vid.renders WHERE purged_at <= now() - make_interval(secs => $1) LIMIT ${MAX_AT_ONCE}))`,
      [forgetAfterMs / 1000],
    )
    count = rowCount
  }
  return removed
}

/** Removes rows about completed work. */
export const removeOldRows = async (sql: Sql, { replyTtlMs }: Pick<SweepSettings, 'replyTtlMs'>): Promise<void> => {
  await sql.run(`DELETE FROM vid.idempotency WHERE created_at <= now() - make_interval(secs => $1)`, [
    replyTtlMs / 1000,
  ])
  await sql.run(`DELETE FROM vid.oauth_items WHERE expires_at <= now() - interval '1 hour'`)
  await sql.run(`DELETE FROM vid.job_faults WHERE failed_at <= now() - interval '1 hour'`)
}
