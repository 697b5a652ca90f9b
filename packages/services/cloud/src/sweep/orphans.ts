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

/** Removes objects without a row, left by a process that was killed before it recorded them. */
export const removeOrphans = async (
  { database, storage }: Pick<WorkParts, 'database' | 'storage'>,
  { orphanAfterMs }: Pick<SweepSettings, 'orphanAfterMs'>,
): Promise<number> => {
  let removed = 0
  const oldest = Date.now() - orphanAfterMs
  for (const folder of FOLDERS) {
    let keys: string[] = []
    const removeBatch = async () => {
      const orphans = await notNeeded(database, folder, keys)
      if (orphans.length > 0) await storage.remove(orphans)
      removed += orphans.length
      keys = []
    }
    for await (const { key, usedMs } of storage.list(folder.prefix)) {
      if (usedMs <= oldest) keys.push(key)
      if (keys.length >= BATCH) await removeBatch()
    }
    if (keys.length > 0) await removeBatch()
  }
  return removed
}
