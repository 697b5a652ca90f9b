import type { CloudPublication, CloudPublish, CloudRender } from '@vid/client/contract'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId, newId, randomText } from '../ids.ts'
import type { EndedRender } from '../renders/result-addresses.ts'

/** Path of the pages. */
export const PAGES_PATH = '/p'
/** Length of the random part of an address. */
const TOKEN_LENGTH = 32
/** The format of the random part; the database does not accept every text as a value. */
const TOKEN = /^[A-Za-z0-9]{1,64}$/
/** Maximum number of publications in a list. */
const LISTED = 1000
const SHOWN_TO_ALL = 100

interface Row {
  readonly id: string
  readonly token: string
  readonly render_id: string
  readonly title: string
  readonly public: boolean
  readonly play: boolean
  readonly created_at: Date
}

const COLUMNS = 'p.id, p.token, p.render_id, p.title, p.public, p.play, p.created_at'

const publicationOf = (row: Row, publicUrl: string): CloudPublication => ({
  publication_id: row.id,
  render_id: row.render_id,
  url: `${publicUrl}${PAGES_PATH}/${row.token}`,
  title: row.title,
  public: row.public,
  play: row.play,
  created_at: row.created_at.toISOString(),
})

/** Refuses a page for several videos; names them. */
const checkSingle = async (sql: Sql, accountId: string, renderId: string): Promise<void> => {
  const videos = await sql.rows<{ id: string }>(
    `SELECT id FROM vid.renders WHERE parent_id = $1 AND account_id = $2 AND deleted_at IS NULL ORDER BY sequence`,
    [renderId, accountId],
  )
  if (videos.length > 0) throw fail('VID_CLOUD_SEVERAL_SHAPES', { renderId, videos: videos.map(({ id }) => id) })
}

/** Creates or changes the page of a render; fails with VID_CLOUD_RENDER_UNKNOWN if the account has no such render. */
export const publish = async (
  sql: Sql,
  accountId: string,
  { render_id: renderId, title, public: isPublic, play }: CloudPublish,
  publicUrl: string,
): Promise<CloudPublication> => {
  await checkSingle(sql, accountId, renderId)
  const [row] = await sql.rows<Row>(
    `INSERT INTO vid.publications AS p (id, token, account_id, render_id, title, public, play)
     SELECT $1, $2, account_id, id, COALESCE($5, title, 'Untitled'), $6, COALESCE($7, true) FROM vid.renders
     WHERE id = $3 AND account_id = $4 AND deleted_at IS NULL
     ON CONFLICT (render_id) WHERE unpublished_at IS NULL
     DO UPDATE SET title = COALESCE($5, p.title), public = EXCLUDED.public, play = COALESCE($7, p.play)
     RETURNING ${COLUMNS}`,
    [newId('pub'), randomText(TOKEN_LENGTH), renderId, accountId, title ?? null, isPublic, play ?? null],
  )
  if (!row) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
  return publicationOf(row, publicUrl)
}

/** Lists the publications of an account, latest first. */
export const listPublications = async (sql: Sql, accountId: string, publicUrl: string): Promise<CloudPublication[]> => {
  const rows = await sql.rows<Row>(
    `SELECT ${COLUMNS} FROM vid.publications p JOIN vid.renders r ON r.id = p.render_id
     WHERE p.account_id = $1 AND p.unpublished_at IS NULL AND r.deleted_at IS NULL
     ORDER BY p.created_at DESC, p.id LIMIT ${LISTED}`,
    [accountId],
  )
  return rows.map((row) => publicationOf(row, publicUrl))
}

/** Removes a page; its address is never used again. */
export const unpublish = async (sql: Sql, accountId: string, publicationId: string): Promise<void> => {
  if (!isId(publicationId)) throw fail('VID_CLOUD_PUBLICATION_UNKNOWN', { publicationId })
  const { rowCount } = await sql.run(
    `UPDATE vid.publications SET unpublished_at = now()
     WHERE id = $1 AND account_id = $2 AND unpublished_at IS NULL`,
    [publicationId, accountId],
  )
  if (rowCount === 0) throw fail('VID_CLOUD_PUBLICATION_UNKNOWN', { publicationId })
}

/** A render as shown on its page. */
export interface PublishedRender extends EndedRender {
  readonly title: string
  readonly public: boolean
  /** In seconds. */
  readonly duration: number | null
  readonly width: number | null
  readonly height: number | null
  readonly video_bytes: number | null
  /** Whether the page may play the composition and its files exist. */
  readonly is_playable: boolean
}

const VISIBLE = `FROM vid.publications p JOIN vid.renders r ON r.id = p.render_id
  JOIN vid.accounts a ON a.id = p.account_id
  WHERE p.unpublished_at IS NULL AND r.deleted_at IS NULL AND a.disabled_at IS NULL`

/** Reads the render of a page's address; undefined if there is none, or the page was removed. */
export const readPublished = async (sql: Sql, token: string): Promise<PublishedRender | undefined> => {
  if (!TOKEN.test(token)) return undefined
  const [row] = await sql.rows<PublishedRender>(
    `SELECT r.id, r.status, r.request, r.video_key, r.thumbnail_key, r.poster_key, r.stream_attempt, p.title,
       p.public, r.duration, r.width, r.height, r.video_bytes,
       p.play AND EXISTS (SELECT 1 FROM vid.assets s WHERE s.storage_key = r.project_key) AS is_playable
     ${VISIBLE} AND p.token = $1`,
    [token],
  )
  return row
}

/** A composition played by a page. */
export interface PlayedComposition {
  readonly render_id: string
  readonly project_key: string
  readonly project_digest: string
  readonly request: CloudRender
}

/** Finds the composition of a host label; undefined if no page plays it, or the page was removed. */
export const readPlayed = async (sql: Sql, label: string): Promise<PlayedComposition | undefined> => {
  const [row] = await sql.rows<PlayedComposition>(
    `SELECT r.id AS render_id, r.project_key, r.project_digest, r.request ${VISIBLE}
       AND p.play AND substr(encode(sha256(p.token::bytea), 'hex'), 1, 32) = $1`,
    [label],
  )
  return row
}

/** Lists public pages, latest first. */
export const listPublic = (
  sql: Sql,
): Promise<{ readonly token: string; readonly title: string; readonly created_at: Date }[]> =>
  sql.rows(
    `SELECT p.token, p.title, p.created_at ${VISIBLE} AND p.public
     ORDER BY p.created_at DESC, p.id LIMIT ${SHOWN_TO_ALL}`,
  )
