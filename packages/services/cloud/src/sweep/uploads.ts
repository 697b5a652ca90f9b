import type { WorkParts } from '../worker/parts.ts'
import type { SweepSettings } from './settings.ts'

/** Removes expired uploads with their parts. */
export const removeExpiredUploads = async ({
  database,
  storage,
}: Pick<WorkParts, 'database' | 'storage'>): Promise<number> => {
  const uploads = await database.rows<{ id: string }>('SELECT id FROM vid.uploads WHERE expires_at <= now()')
  for (const { id } of uploads) {
    const parts = await database.rows<{ storage_key: string }>(
      'SELECT storage_key FROM vid.upload_parts WHERE upload_id = $1',
      [id],
    )
    await storage.remove(parts.map(({ storage_key: key }) => key))
    await database.run('DELETE FROM vid.uploads WHERE id = $1', [id])
  }
  return uploads.length
}

/** Removes assets that were not used for a long time, except those that an open render or a page needs. */
export const removeUnusedAssets = async (
  { database, storage }: Pick<WorkParts, 'database' | 'storage'>,
  { assetTtlMs }: Pick<SweepSettings, 'assetTtlMs'>,
): Promise<number> => {
  // NOT EXISTS would read all renders, to compare them with all assets at once.
  const isUnused = `last_used_at <= now() - make_interval(secs => $1)
    AND (SELECT 1 FROM vid.renders AS r
      WHERE r.project_key = a.storage_key AND r.status IN ('queued', 'rendering') LIMIT 1) IS NULL
    AND (SELECT 1 FROM vid.renders AS r JOIN vid.publications AS p ON p.render_id = r.id
      WHERE r.project_key = a.storage_key AND r.deleted_at IS NULL AND p.play AND p.unpublished_at IS NULL LIMIT 1)
      IS NULL`
  const seconds = assetTtlMs / 1000
  const assets = await database.rows<{ id: string }>(`SELECT id FROM vid.assets AS a WHERE ${isUnused}`, [seconds])
  let removed = 0
  for (const { id } of assets)
    await database.transaction(async (sql) => {
      // Locks the row: an upload of the same project waits for it and then stores the zip again.
      const [row] = await sql.rows<{ storage_key: string }>(
        `SELECT storage_key FROM vid.assets AS a WHERE ${isUnused} AND id = $2 FOR UPDATE`,
        [seconds, id],
      )
      if (!row) return
      await sql.run('DELETE FROM vid.assets WHERE id = $1', [id])
      const otherAssets = await sql.rows('SELECT 1 FROM vid.assets WHERE storage_key = $1 LIMIT 1', [row.storage_key])
      if (otherAssets.length === 0) await storage.remove([row.storage_key])
      removed += 1
    })
  return removed
}
