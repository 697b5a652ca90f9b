import type { CloudAsset } from '@vid/client/contract'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Storage } from '../storage/storage.ts'

/** A project that an account has uploaded. */
export interface Asset {
  readonly id: string
  /** SHA-256 of the manifest of its files. */
  readonly digest: string
  readonly storageKey: string
  /** Size of its zip in the storage. */
  readonly bytes: number
}

interface Row {
  readonly id: string
  readonly digest: string
  readonly storage_key: string
  readonly size_bytes: number
}

const FIELDS = 'id, digest, storage_key, size_bytes'

const refuseTooMuch = async (sql: Sql, accountId: string): Promise<void> => {
  const [{ stored: storedBytes, limit } = { stored: 0, limit: 0 }] = await sql.rows<{ stored: number; limit: number }>(
    `SELECT (SELECT sum(size_bytes) FROM vid.assets WHERE account_id = $1)::bigint AS stored,
            max_stored_bytes AS limit FROM vid.accounts WHERE id = $1`,
    [accountId],
  )
  if (storedBytes > limit) throw fail('VID_CLOUD_PROJECTS_FULL', { limit })
}

const assetOf = ({ id, digest, storage_key: storageKey, size_bytes: bytes }: Row): Asset => ({
  id,
  digest,
  storageKey,
  bytes,
})

/**
 * Finds or creates the asset of a project, and marks it as used now. Call it in a transaction; fails with
 * VID_CLOUD_PROJECTS_FULL if the account exceeds its limit.
 */
export const keepAsset = async (
  sql: Sql,
  accountId: string,
  project: {
    readonly digest: string
    readonly bytes: number
    readonly unpackedBytes: number
    readonly files: number
    readonly sourceUrl?: string | undefined
  },
): Promise<Asset> => {
  const { digest, bytes, unpackedBytes, files, sourceUrl } = project
  const [row] = await sql.rows<Row & { readonly is_new: boolean }>(
    `INSERT INTO vid.assets
       (id, account_id, digest, storage_key, size_bytes, unpacked_bytes, files, source_url)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (account_id, digest)
       DO UPDATE SET last_used_at = now(), size_bytes = EXCLUDED.size_bytes
     RETURNING ${FIELDS}, xmax = 0 AS is_new`,
    [
      newId('asset'),
      accountId,
      digest,
      `assets/${accountId}/${digest}.zip`,
      bytes,
      unpackedBytes,
      files,
      sourceUrl ?? null,
    ],
  )
  if (row?.is_new) await refuseTooMuch(sql, accountId)
  return assetOf(row as Row)
}

/**
 * Finds an asset of an account and marks it as used now; fails with VID_CLOUD_ASSET_UNKNOWN, also if it belongs to
 * another account.
 */
export const useAsset = async (sql: Sql, accountId: string, assetId: string, field = 'asset_id'): Promise<Asset> => {
  const [row] = await sql.rows<Row>(
    `UPDATE vid.assets SET last_used_at = now() WHERE id = $1 AND account_id = $2 RETURNING ${FIELDS}`,
    [assetId, accountId],
  )
  if (!row) throw fail('VID_CLOUD_ASSET_UNKNOWN', { assetId, field })
  return assetOf(row)
}

/** Formats an asset for a reply, with a newly signed address. */
export const assetReply = async (
  { id, storageKey, bytes }: Asset,
  storage: Pick<Storage, 'address'>,
  expiresMs: number,
): Promise<CloudAsset> => ({
  asset_id: id,
  url: await storage.address(storageKey, { expiresMs, fileName: 'project.zip', type: 'application/zip' }),
  mime_type: 'application/zip',
  size_bytes: bytes,
})
