import { createHash } from 'node:crypto'
import type { CloudUpload, CloudUploadInput } from '@vid/client/contract'
import { canonicalJson } from '@vid/kernel'
import { type AccountProfile, readAccount } from '../accounts/account-limits.ts'
import type { Database, Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId, newId } from '../ids.ts'
import type { CloudSettings } from '../options.ts'
import { doOnce, type Settle, type StoredReply } from '../requests/idempotency.ts'
import type { Storage } from '../storage/storage.ts'
import { type Asset, useAsset } from './assets.ts'
import type { Intake } from './intake.ts'

/** Limit on an account's open uploads, in zips of the largest size. */
const OPEN_AT_ONCE = 4
const RETRY_SECONDS = 60

/** Dependencies of multipart uploads. */
export interface UploadParts {
  readonly database: Database
  readonly storage: Storage
  readonly intake: Intake
  readonly settings: CloudSettings
}

interface Row {
  readonly id: string
  readonly size_bytes: number
  readonly sha256: string
  readonly part_bytes: number
  readonly asset_id: string | null
  readonly expires_at: Date
  readonly parts: number[]
}

const SELECT = `
  SELECT id, size_bytes, sha256, part_bytes, asset_id, expires_at,
         ARRAY(SELECT number FROM vid.upload_parts WHERE upload_id = id ORDER BY number) AS parts
  FROM vid.uploads`

const uploadOf = ({ id, size_bytes, part_bytes, parts, expires_at }: Row): CloudUpload => ({
  upload_id: id,
  size_bytes,
  part_bytes,
  parts,
  expires_at: expires_at.toISOString(),
})

const find = async (sql: Sql, accountId: string, uploadId: string): Promise<Row> => {
  const [row] = isId(uploadId)
    ? await sql.rows<Row>(`${SELECT} WHERE id = $1 AND account_id = $2 AND expires_at > now()`, [uploadId, accountId])
    : []
  if (!row) throw fail('VID_CLOUD_UPLOAD_UNKNOWN', { uploadId })
  return row
}

/** Returns an upload of an account with its received parts. */
export const readUpload = async (sql: Sql, accountId: string, uploadId: string): Promise<CloudUpload> =>
  uploadOf(await find(sql, accountId, uploadId))

/** Largest zip of an account, in bytes. */
export const largestZip = (account: Pick<AccountProfile, 'uploadBytes'>, settings: CloudSettings): number =>
  Math.min(account.uploadBytes, settings.uploadBytes)

const insert = async (
  accountId: string,
  { size_bytes: bytes, sha256 }: CloudUploadInput,
  { database, settings }: UploadParts,
  settle: Settle | undefined,
): Promise<StoredReply> => {
  const id = newId('upload')
  const reply = { status: 200, body: { upload_id: id } }
  await database.transaction(async (sql) => {
    const limit = largestZip(await readAccount(sql, accountId, { isLocked: true }), settings)
    if (bytes > limit) throw fail('VID_CLOUD_PROJECT_BYTES', { limit })
    const [open] = await sql.rows<{ bytes: number }>(
      `SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes FROM vid.uploads
       WHERE account_id = $1 AND asset_id IS NULL AND expires_at > now()`,
      [accountId],
    )
    const most = OPEN_AT_ONCE * limit
    if ((open?.bytes ?? 0) + bytes > most)
      throw fail('VID_CLOUD_UPLOADS_OPEN', { limit: most, retryAfterSeconds: RETRY_SECONDS })
    await sql.run(
      `INSERT INTO vid.uploads (id, account_id, size_bytes, sha256, part_bytes, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6::double precision * interval '1 millisecond')`,
      [id, accountId, bytes, sha256, settings.partBytes, settings.uploadTtlMs],
    )
    await settle?.(sql, reply)
  })
  return reply
}

const ROUTE = 'POST /v3/assets/uploads'

/** Begins a multipart upload; a key that was used before returns the current state of its upload. */
export const beginUpload = async (
  accountId: string,
  input: CloudUploadInput,
  key: string | undefined,
  parts: UploadParts,
): Promise<{ readonly upload: CloudUpload; readonly isReplay: boolean }> => {
  const { database, settings } = parts
  const bodyHash = createHash('sha256').update(canonicalJson(input)).digest('hex')
  const { body, isReplay } =
    key === undefined
      ? { ...(await insert(accountId, input, parts, undefined)), isReplay: false }
      : await doOnce(database, { accountId, route: ROUTE, key, bodyHash }, settings.replyLockMs, (settle) =>
          insert(accountId, input, parts, settle),
        )
  const { upload_id: id } = body as { readonly upload_id: string }
  return { upload: await readUpload(database, accountId, id), isReplay }
}

const countOf = ({ size_bytes: bytes, part_bytes: partBytes }: Row): number => Math.ceil(bytes / partBytes)
const partKey = (uploadId: string, number: number): string => `uploads/${uploadId}/${number}`

/** Stores a part of an upload; sending a part again replaces it. */
export const putPart = async (
  to: { readonly accountId: string; readonly uploadId: string; readonly number: number },
  body: AsyncIterable<Uint8Array>,
  { database, storage, intake }: UploadParts,
  signal: AbortSignal,
): Promise<CloudUpload> => {
  const { accountId, uploadId, number } = to
  const upload = await find(database, accountId, uploadId)
  const count = countOf(upload)
  const wrong = (field: string, problem: string) => fail('VID_CLOUD_PARAMETER', { field, problem })
  if (number >= count) throw wrong('number', `is beyond the last part, ${count - 1}`)
  if (upload.asset_id !== null) return uploadOf(upload)
  const isLast = number === count - 1
  const expectedBytes = isLast ? upload.size_bytes - number * upload.part_bytes : upload.part_bytes
  await intake.withFile(body, upload.part_bytes, signal, async (file, { bytes }) => {
    if (bytes !== expectedBytes)
      throw wrong('body', `has ${bytes} bytes; part ${number} of this upload has ${expectedBytes}`)
    await storage.put(partKey(uploadId, number), file, { signal })
  })
  await database.run(
    `INSERT INTO vid.upload_parts (upload_id, number, storage_key) VALUES ($1, $2, $3)
     ON CONFLICT (upload_id, number) DO NOTHING`,
    [uploadId, number, partKey(uploadId, number)],
  )
  return readUpload(database, accountId, uploadId)
}

/** Yields the bytes of all parts; fails if one is missing. */
async function* bytesOf(upload: Row, storage: Storage): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < countOf(upload); number += 1) {
    const stream = await storage.open(partKey(upload.id, number))
    if (!stream)
      throw fail('VID_CLOUD_PROJECT_LOST', {
        key: partKey(upload.id, number),
        problem: 'no longer exists',
      })
    yield* stream as AsyncIterable<Buffer>
  }
}

/** Creates the asset of an upload whose parts have all arrived; repeated calls return the same asset. */
export const completeUpload = async (
  accountId: string,
  uploadId: string,
  { database, storage, intake, settings }: UploadParts,
  signal: AbortSignal,
): Promise<Asset> => {
  const upload = await find(database, accountId, uploadId)
  if (upload.asset_id !== null) return useAsset(database, accountId, upload.asset_id)
  const count = countOf(upload)
  const missingParts = Array.from({ length: count }, (_, number) => number).filter(
    (number) => !upload.parts.includes(number),
  )
  if (missingParts.length > 0) {
    const partList = missingParts.slice(0, 20).join(', ') + (missingParts.length > 20 ? ', …' : '')
    throw fail('VID_CLOUD_PARAMETER', { field: 'upload_id', problem: `lacks the parts ${partList}` })
  }
  const maxBytes = largestZip(await readAccount(database, accountId), settings)
  const zip = await intake
    .receive({
      accountId,
      maxBytes,
      signal,
      bytes: bytesOf(upload, storage),
      expected: { sha256: upload.sha256, field: 'sha256' },
    })
    .catch(async (thrown: unknown) => {
      // Another request may have completed it in the meantime and removed the parts.
      const now = await find(database, accountId, uploadId)
      if (now.asset_id === null) throw thrown
      return { asset: await useAsset(database, accountId, now.asset_id) }
    })
  await database.run('UPDATE vid.uploads SET asset_id = $2 WHERE id = $1', [uploadId, zip.asset.id])
  await storage.remove(Array.from({ length: count }, (_, number) => partKey(uploadId, number)))
  return zip.asset
}
