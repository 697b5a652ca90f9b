import type { Database } from '../database/database.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'

/** What belongs to renders that are gone, and should not be there after a sweep. */
export interface Left {
  /** Deleted renders whose files were not removed. */
  readonly renders: number
  /** Objects of renders in the storage without a row that names them. */
  readonly objects: number
  /** Jobs, and rows about who does them, of renders that have ended. */
  readonly jobs: number
}

const ENDED = `NOT EXISTS (SELECT 1 FROM vid.renders r WHERE r.id = render_id AND r.status IN ('queued', 'rendering'))`

/** Counts what is left of renders that are gone. */
export const whatIsLeft = async ({
  database,
  storage,
  queue,
}: {
  readonly database: Database
  readonly storage: Storage
  readonly queue: Queue
}): Promise<Left> => {
  const [deleted] = await database.rows<{ count: number }>(
    'SELECT count(*) AS count FROM vid.renders WHERE deleted_at IS NOT NULL AND purged_at IS NULL',
  )
  const rows = await database.rows<{ id: string; is_open: boolean }>(
    `SELECT id, status IN ('queued', 'rendering') AS is_open FROM vid.renders WHERE purged_at IS NULL`,
  )
  const renderIds = new Set(rows.map(({ id }) => id))
  const open = new Set(rows.filter(({ is_open }) => is_open).map(({ id }) => id))
  let objects = 0
  for await (const { key } of storage.list('results/')) if (!renderIds.has(key.split('/')[1] ?? '')) objects += 1
  for await (const { key } of storage.list('renders/')) if (!open.has(key.split('/')[1] ?? '')) objects += 1
  const [orphanedJobs] = await database.rows<{ count: number }>(
    `SELECT count(*) AS count FROM vid.worker_jobs WHERE ${ENDED}`,
  )
  const [queued] = await database.rows<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT data ->> 'renderId' AS render_id FROM ${queue.schema}.job
       WHERE state < 'completed' AND name = 'renders') AS jobs WHERE ${ENDED}`,
  )
  return { renders: deleted?.count ?? 0, objects, jobs: (orphanedJobs?.count ?? 0) + (queued?.count ?? 0) }
}
