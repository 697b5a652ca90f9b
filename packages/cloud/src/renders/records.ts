import type { CloudPage, CloudRecord, CloudRender, CloudStatus, Warning } from '@vid/kernel'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'
import { posterTypes, resultFiles } from '../storage/result-file.ts'
import type { Storage } from '../storage/storage.ts'
import type { StreamAddresses } from '../streams/stream-address.ts'
import { readToken, refuseToken, tokenOf } from './page-token.ts'

/** A row of the table of renders, with the columns that its owner sees. */
export interface RenderRow {
  readonly id: string
  readonly status: CloudStatus
  readonly request: CloudRender
  readonly title: string | null
  readonly callback_id: string | null
  readonly frames_rendered: number
  readonly total_frames: number
  readonly progress: number
  readonly duration: number | null
  readonly video_key: string | null
  readonly video_bytes: number | null
  readonly video_sha256: string | null
  readonly thumbnail_key: string | null
  readonly poster_key: string | null
  readonly stream_attempt: number | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly warnings: Warning[]
  readonly created_at: Date
  readonly started_at: Date | null
  readonly completed_at: Date | null
}

const FIELDS = [
  'id',
  'status',
  'request',
  'title',
  'callback_id',
  'frames_rendered',
  'total_frames',
  'progress',
  'duration',
  'video_key',
  'video_bytes',
  'video_sha256',
  'thumbnail_key',
  'poster_key',
  'stream_attempt',
  'failure_code',
  'failure_message',
  'warnings',
  'created_at',
  'started_at',
  'completed_at',
].join(', ')

/** Signs addresses for clients; all have the same lifetime. */
export interface Addresses {
  readonly storage: Pick<Storage, 'address'>
  readonly streams: Pick<StreamAddresses, 'addressOf'>
  readonly ttlMs: number
}

/** Newly signed addresses of what a render has made so far; null for what is missing. */
export interface ResultUrls {
  readonly video_url: string | null
  readonly thumbnail_url: string | null
  readonly poster_url: string | null
  readonly playlist_url: string | null
}

const extensionOf = (posterKey: string) => (posterKey.endsWith('.png') ? 'png' : 'jpg')

const NO_RESULTS = { video_url: null, thumbnail_url: null, poster_url: null } as const

/** Signs addresses of what a render has made so far. */
export const resultAddresses = async (
  row: Pick<RenderRow, 'id' | 'status' | 'request' | 'video_key' | 'thumbnail_key' | 'poster_key' | 'stream_attempt'>,
  { storage, streams, ttlMs }: Addresses,
): Promise<ResultUrls> => {
  const expiresMs = Date.now() + ttlMs
  const { id, stream_attempt: attempt } = row
  const playlistUrl = attempt === null ? null : streams.addressOf({ renderId: id, attempt, expiresMs })
  if (row.status !== 'completed') return { ...NO_RESULTS, playlist_url: playlistUrl }
  const { extension, type } = resultFiles[row.request.format]
  const { video_key: video, thumbnail_key: thumbnail, poster_key: poster } = row
  return {
    video_url: video && (await storage.address(video, { expiresMs, fileName: `${id}.${extension}`, type })),
    thumbnail_url: thumbnail && (await storage.address(thumbnail, { expiresMs, type: 'image/jpeg' })),
    poster_url: poster && (await storage.address(poster, { expiresMs, type: posterTypes[extensionOf(poster)] })),
    playlist_url: playlistUrl,
  }
}

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null

/** Formats a render for its owner. */
export const recordOf = async (row: RenderRow, addresses: Addresses): Promise<CloudRecord> => {
  const { fps, quality, format, resolution, composition, codec = null, aspect_ratio: ratio = null } = row.request
  return {
    render_id: row.id,
    status: row.status,
    title: row.title,
    callback_id: row.callback_id,
    ...(await resultAddresses(row, addresses)),
    duration: row.duration,
    fps,
    quality,
    format,
    codec,
    resolution,
    aspect_ratio: ratio,
    composition,
    created_at: row.created_at.toISOString(),
    started_at: timeOf(row.started_at),
    completed_at: timeOf(row.completed_at),
    failure_code: row.failure_code,
    failure_message: row.failure_message,
    progress: row.status === 'completed' ? 1 : row.progress,
    frames_rendered: row.frames_rendered,
    total_frames: row.total_frames,
    size_bytes: row.video_bytes,
    sha256: row.video_sha256,
    warnings: row.warnings,
  }
}

/**
 * Reads a render of an account; fails with VID_CLOUD_RENDER_UNKNOWN, also for deleted renders and those of other
 * accounts.
 */
export const readRender = async (sql: Sql, accountId: string, renderId: string): Promise<RenderRow> => {
  const [row] = isId(renderId)
    ? await sql.rows<RenderRow>(
        `SELECT ${FIELDS} FROM vid.renders WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
        [renderId, accountId],
      )
    : []
  if (!row) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
  return row
}

/** Position of a render in the order of acceptance; also works for deleted renders. */
const placeOf = async (sql: Sql, accountId: string, renderId: string): Promise<number> => {
  const [row] = await sql.rows<{ sequence: number }>(
    'SELECT sequence FROM vid.renders WHERE id = $1 AND account_id = $2',
    [renderId, accountId],
  )
  if (!row) throw refuseToken()
  return row.sequence
}

/** Reads one page of an account's renders, latest first. */
export const readPage = async (
  sql: Sql,
  accountId: string,
  { limit, token }: { readonly limit: number; readonly token: string | undefined },
  addresses: Addresses,
): Promise<CloudPage> => {
  const cursor = token === undefined ? null : await placeOf(sql, accountId, readToken(token))
  const rows = await sql.rows<RenderRow>(
    `SELECT ${FIELDS} FROM vid.renders
     WHERE account_id = $1 AND deleted_at IS NULL AND ($2::bigint IS NULL OR sequence < $2::bigint)
     ORDER BY sequence DESC LIMIT $3`,
    [accountId, cursor, limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    data: await Promise.all(page.map((row) => recordOf(row, addresses))),
    has_more: hasMore,
    next_token: hasMore && last ? tokenOf(last.id) : null,
  }
}
