import type { CloudPage, CloudRecord, CloudRender, CloudStatus } from '@vid/client/contract'
import type { Warning } from '@vid/protocol'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'
import { outputOf } from './outputs.ts'
import { readToken, refuseToken, tokenOf } from './page-token.ts'
import { type Addresses, resultAddresses } from './result-addresses.ts'
import { totalOf } from './several-shapes.ts'

/** A row of the table of renders, with the columns that its owner sees. */
interface RenderRow {
  readonly id: string
  readonly parent_id: string | null
  /** How many shapes it has; null for a video. */
  readonly shapes: number | null
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
  'parent_id',
  'shapes',
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

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null

/** A render with its videos, if it has several shapes. */
export interface RenderWithVideos {
  readonly row: RenderRow
  /** Of each shape, in the order of the request; none for a render that is a video. */
  readonly videos: readonly RenderRow[]
}

/** Formats a render for its owner. */
export const recordOf = async (
  { row: submitted, videos }: RenderWithVideos,
  addresses: Addresses,
): Promise<CloudRecord> => {
  const row = submitted.shapes === null ? submitted : totalOf(submitted, videos)
  const outputs = await Promise.all(
    videos.map(async (video) => outputOf(video, await resultAddresses(video, addresses))),
  )
  const {
    fps,
    quality,
    format,
    resolution,
    composition,
    codec = null,
    aspect_ratio: ratio = null,
    shape = null,
  } = row.request
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
    shape,
    outputs: submitted.shapes === null ? null : outputs,
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

/** Adds their videos to renders. */
const withVideos = async (sql: Sql, rows: readonly RenderRow[]): Promise<RenderWithVideos[]> => {
  const parents = rows.filter(({ shapes }) => shapes !== null).map(({ id }) => id)
  const videos =
    parents.length === 0
      ? []
      : await sql.rows<RenderRow>(
          `SELECT ${FIELDS} FROM vid.renders WHERE parent_id = ANY($1::text[]) ORDER BY sequence`,
          [parents],
        )
  return rows.map((row) => ({ row, videos: videos.filter(({ parent_id: id }) => id === row.id) }))
}

/**
 * Reads a render of an account; fails with VID_CLOUD_RENDER_UNKNOWN, also for deleted renders and those of other
 * accounts.
 */
export const readAccountRender = async (sql: Sql, accountId: string, renderId: string): Promise<RenderWithVideos> => {
  const [row] = isId(renderId)
    ? await sql.rows<RenderRow>(
        `SELECT ${FIELDS} FROM vid.renders WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
        [renderId, accountId],
      )
    : []
  if (!row) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
  const [render = { row, videos: [] }] = await withVideos(sql, [row])
  return render
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
  const before = token === undefined ? Number.MAX_SAFE_INTEGER : await placeOf(sql, accountId, readToken(token))
  const rows = await sql.rows<RenderRow>(
    `SELECT ${FIELDS} FROM vid.renders
     WHERE account_id = $1 AND deleted_at IS NULL AND parent_id IS NULL AND sequence < $2::bigint
     ORDER BY sequence DESC LIMIT $3`,
    [accountId, before, limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    data: await Promise.all((await withVideos(sql, page)).map((render) => recordOf(render, addresses))),
    has_more: hasMore,
    next_token: hasMore && last ? tokenOf(last.id) : null,
  }
}
