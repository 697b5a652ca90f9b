import type { Database } from '../database/database.ts'
import type { WorkParts } from '../worker/parts.ts'
import type { SweepSettings } from './settings.ts'

/** Objects looked up at once. */
const BATCH = 500

interface Folder {
  readonly prefix: string
  /** A query for the keys in `$1` that are still needed. */
  readonly needed: string
}

const renderOf = (position: number) => `split_part(key, '/', ${position})`

/** The storage folders whose objects belong to rows. */
const FOLDERS: readonly Folder[] = [
  {
    prefix: 'renders/',
    needed: `SELECT key FROM unnest($1::text[]) AS key JOIN vid.renders AS r ON r.id = ${renderOf(2)}
             WHERE r.status IN ('queued', 'rendering')`,
  },
  {
    prefix: 'results/',
    needed: `SELECT key FROM unnest($1::text[]) AS key JOIN vid.renders AS r ON r.id = ${renderOf(2)}
             WHERE r.purged_at IS NULL
               AND (r.status IN ('queued', 'rendering') OR key IN (r.video_key, r.thumbnail_key, r.poster_key))`,
  },
  {
    prefix: 'streams/',
    needed: `SELECT key FROM unnest($1::text[]) AS key JOIN vid.streams AS s
             ON s.render_id = ${renderOf(2)} AND s.attempt::text = ${renderOf(3)}`,
  },
  {
    prefix: 'uploads/',
    needed: `SELECT key FROM unnest($1::text[]) AS key JOIN vid.uploads AS u ON u.id = ${renderOf(2)}
             WHERE u.asset_id IS NULL`,
  },
  {
    prefix: 'assets/',
    needed: `SELECT storage_key AS key FROM vid.assets WHERE storage_key = ANY($1::text[])`,
  },
]

const notNeeded = async (database: Database, { needed: query }: Folder, keys: readonly string[]): Promise<string[]> => {
  const rows = await database.rows<{ key: string }>(query, [keys])
  const referenced = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !referenced.has(key))
}

/** Calls `take` with the objects without a row, in batches; only those that were last used before a time. */
const findOrphans = async (
  { database, storage }: Pick<WorkParts, 'database' | 'storage'>,
  folders: readonly Folder[],
  beforeMs: number,
  take: (keys: readonly string[]) => Promise<void>,
): Promise<void> => {
  for (const folder of folders) {
    let keys: string[] = []
    const takeBatch = async () => {
      const orphans = await notNeeded(database, folder, keys)
      if (orphans.length > 0) await take(orphans)
      keys = []
    }
    for await (const { key, usedMs } of storage.list(folder.prefix)) {
      if (usedMs <= beforeMs) keys.push(key)
      if (keys.length >= BATCH) await takeBatch()
    }
    if (keys.length > 0) await takeBatch()
  }
}

/** Removes objects without a row, left by a process that was killed before it recorded them. */
export const removeOrphans = async (
  parts: Pick<WorkParts, 'database' | 'storage'>,
  { orphanAfterMs }: Pick<SweepSettings, 'orphanAfterMs'>,
): Promise<number> => {
  let removed = 0
  await findOrphans(parts, FOLDERS, Date.now() - orphanAfterMs, async (keys) => {
    await parts.storage.remove([...keys])
    removed += keys.length
  })
  return removed
}

/** Folders of objects that belong to renders. */
const OF_RENDERS = ['renders/', 'results/', 'streams/']

/** Counts objects of renders without a row. */
export const countOrphans = async (parts: Pick<WorkParts, 'database' | 'storage'>): Promise<number> => {
  let count = 0
  const folders = FOLDERS.filter(({ prefix }) => OF_RENDERS.includes(prefix))
  await findOrphans(parts, folders, Number.POSITIVE_INFINITY, async (keys) => {
    count += keys.length
  })
  return count
}
