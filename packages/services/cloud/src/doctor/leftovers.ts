import type { Database } from '../database/database.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'

/** Leftovers of deleted renders, which a sweep should have removed. */
export interface Leftovers {
  /** Deleted renders whose files still exist. */
  readonly renders: number
  /** Objects in the storage that belong to no render. */
  readonly objects: number
  /** Jobs, and records of their workers, of renders that have ended. */
  readonly jobs: number
}

const ENDED = `NOT EXISTS (SELECT 1 FROM vid.renders r WHERE r.id = render_id AND r.status IN ('queued', 'rendering'))`

/** Counts the leftovers of deleted renders. */
export const countLeftovers = async ({
  database,
  storage,
  queue,
}: {
  readonly database: Database
  readonly storage: Storage
  readonly queue: Queue
}): Promise<Leftovers> => {
  const [deleted] = await database.rows<{ count: number }>(
    'SELECT count(*) AS count FROM vid.renders WHERE deleted_at IS NOT NULL AND purged_at IS NULL',
  )
  const rows = await database.rows<{ id: string; is_open: boolean }>(
    `SELECT id, status IN ('queued', 'rendering') AS is_open FROM vid.renders WHERE purged_at IS NULL`,
  )
  const renderIds = new Set(rows.map(({ id }) => id))
  const open = new Set(rows.filter(({ is_open }) => is_open).map(({ id }) => id))
  let objects = 0
  for (const prefix of ['results/', 'streams/'])
    for await (const { key } of storage.list(prefix)) if (!renderIds.has(key.split('/')[1] ?? '')) objects += 1
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
