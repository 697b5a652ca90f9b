import type { Sql } from '../database/database.ts'
import type { StreamId } from './stream-key.ts'

/** How often a video may fail to be published, before only its render publishes it, at its end. */
const MAX_FAILURES = 5

/** What players see of a video. */
export interface PublishedVideo {
  /** Number of segments of the plan. */
  readonly segments: number
  /** Texts by name. */
  readonly playlists: Readonly<Record<string, string>>
  /** Names of its other files. */
  readonly files: readonly string[]
}

/** Records that the video of a planned render may be published. */
export const addStream = async (sql: Sql, { renderId, attempt }: StreamId): Promise<void> => {
  await sql.run('INSERT INTO vid.streams (render_id, attempt) VALUES ($1, $2)', [renderId, attempt])
}

/** Has a worker publish a video with a finished segment that is not published yet; undefined if there is none. */
export const holdStream = async (sql: Sql, workerId: string): Promise<StreamId | undefined> => {
  const [row] = await sql.rows<{ render_id: string; attempt: number }>(
    `INSERT INTO vid.stream_holders (render_id, attempt, worker_id)
     SELECT s.render_id, s.attempt, w.id FROM vid.streams AS s
     JOIN vid.renders AS r ON r.id = s.render_id AND r.attempt = s.attempt AND r.status = 'rendering'
     JOIN vid.render_segments AS p ON p.render_id = s.render_id AND p.attempt = s.attempt AND p.number = s.segments
     JOIN vid.workers AS w ON w.id = $1
     WHERE NOT s.is_complete AND r.deleted_at IS NULL AND p.done_at IS NOT NULL AND s.failures < $2 AND NOT EXISTS (
       SELECT 1 FROM vid.stream_holders AS h WHERE h.render_id = s.render_id AND h.attempt = s.attempt)
     ORDER BY r.sequence LIMIT 1 ON CONFLICT DO NOTHING RETURNING render_id, attempt`,
    [workerId, MAX_FAILURES],
  )
  return row && { renderId: row.render_id, attempt: row.attempt }
}

/** Lets another worker publish a video. */
export const releaseStream = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
  workerId: string,
  { hasFailed = false }: { readonly hasFailed?: boolean } = {},
): Promise<void> => {
  const { rowCount } = await sql.run(
    'DELETE FROM vid.stream_holders WHERE render_id = $1 AND attempt = $2 AND worker_id = $3',
    [renderId, attempt, workerId],
  )
  if (rowCount > 0 && hasFailed)
    await sql.run('UPDATE vid.streams SET failures = failures + 1 WHERE render_id = $1 AND attempt = $2', [
      renderId,
      attempt,
    ])
}

/** Number of segments that players see, and names of files that are stored. */
export const readProgress = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
): Promise<Pick<PublishedVideo, 'segments' | 'files'>> => {
  const [row] = await sql.rows<Pick<PublishedVideo, 'segments' | 'files'>>(
    'SELECT segments, files FROM vid.streams WHERE render_id = $1 AND attempt = $2',
    [renderId, attempt],
  )
  return row ?? { segments: 0, files: [] }
}

/** The finished segment with a number, as the worker that publishes a video sees it. */
export interface NextSegment {
  /** Its key in the storage; null until it is done. */
  readonly key: string | null
}

/** Reads a segment; undefined if the render has ended or begun anew, or another worker publishes its video now. */
export const readSegment = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
  number: number,
  workerId: string,
): Promise<NextSegment | undefined> => {
  const [row] = await sql.rows<NextSegment>(
    `SELECT CASE WHEN p.done_at IS NOT NULL THEN p.storage_keys ->> 0 END AS key
     FROM vid.stream_holders AS h
     JOIN vid.renders AS r ON r.id = h.render_id AND r.attempt = h.attempt AND r.status = 'rendering'
     JOIN vid.render_segments AS p ON p.render_id = h.render_id AND p.attempt = h.attempt AND p.number = $3
     WHERE h.render_id = $1 AND h.attempt = $2 AND h.worker_id = $4 AND r.deleted_at IS NULL`,
    [renderId, attempt, number, workerId],
  )
  return row
}

/** Shows players more segments, in a transaction; does nothing if they see as many, or the render has ended. */
export const showSegments = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
  { segments, playlists, files }: PublishedVideo,
): Promise<void> => {
  // Locked before the video, as by the statements that end a render.
  const { rowCount } = await sql.run(
    `UPDATE vid.renders SET stream_attempt = attempt
     WHERE id = $1 AND attempt = $2 AND status = 'rendering' AND deleted_at IS NULL`,
    [renderId, attempt],
  )
  if (rowCount === 0) return
  await sql.run(
    `UPDATE vid.streams SET segments = $3, playlists = $4::jsonb, files = $5::jsonb
     WHERE render_id = $1 AND attempt = $2 AND segments < $3`,
    [renderId, attempt, segments, JSON.stringify(playlists), JSON.stringify(files)],
  )
}

/** Shows players the whole video of a render, in the transaction that completes it. */
export const showWhole = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
  { segments, playlists, files }: PublishedVideo,
): Promise<void> => {
  await sql.run('UPDATE vid.renders SET stream_attempt = $2 WHERE id = $1', [renderId, attempt])
  await sql.run(
    `INSERT INTO vid.streams AS s (render_id, attempt, segments, is_complete, playlists, files)
     VALUES ($1, $2, $3, true, $4::jsonb, $5::jsonb)
     ON CONFLICT (render_id, attempt) DO UPDATE SET segments = EXCLUDED.segments, is_complete = true,
       playlists = EXCLUDED.playlists, files = EXCLUDED.files`,
    [renderId, attempt, segments, JSON.stringify(playlists), JSON.stringify(files)],
  )
}

/** One file of a video as a player asks for it. */
export interface StreamFile {
  /** Text of a playlist; null for another file. */
  readonly playlist: string | null
  readonly is_file: boolean
  /** Whether its playlists no longer grow. */
  readonly has_ended: boolean
  /** When its render ended; null before. */
  readonly completed_at: Date | null
}

/** Reads a file of a video; undefined if there is no such video. */
export const readStreamFile = async (
  sql: Sql,
  { renderId, attempt }: StreamId,
  name: string,
): Promise<StreamFile | undefined> => {
  const [row] = await sql.rows<StreamFile>(
    `SELECT s.playlists ->> $3::text AS playlist, s.files @> to_jsonb($3::text) AS is_file, r.completed_at,
       r.status NOT IN ('queued', 'rendering') OR r.attempt <> s.attempt AS has_ended
     FROM vid.streams AS s JOIN vid.renders AS r ON r.id = s.render_id
     WHERE s.render_id = $1 AND s.attempt = $2 AND s.segments > 0`,
    [renderId, attempt, name],
  )
  return row
}
