import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeThumbnail } from '@vid/ffmpeg'
import { readManifest, writeProjectZip } from '@vid/project'
import type { Size, Warning } from '@vid/protocol'
import { digestFile } from '@vid/system'
import type { Sql } from '../database/database.ts'
import { announceEnd } from '../queue/endings.ts'
import type { RenderRow } from '../queue/render-row.ts'
import { resultFiles } from '../storage/result-file.ts'
import { copyPartAt, grownPlaylist, mediaIn, playlistsIn } from '../streams/hls-folder.ts'
import { streamPrefix } from '../streams/stream-key.ts'
import { type PublishedVideo, readProgress, showWhole } from '../streams/stream-records.ts'
import { distinctWarnings, type JobRun } from './held-job.ts'
import type { WorkerParts } from './parts.ts'
import { keepPoster } from './poster.ts'
import { resultPrefix, workPrefix } from './storage-keys.ts'
import { storeStreamFiles } from './stream-files.ts'

/** A finished video. */
export interface FinishedVideo {
  /** Absolute path of a file, or of a folder for hls. */
  readonly path: string
  readonly frames: number
  readonly durationMs: number
  readonly picture: Size
  readonly warnings: readonly Warning[]
}

/** Longer side of a thumbnail, in pixels. */
const THUMBNAIL_PIXELS = 640
/** Position of its frame in the video, as a fraction: titles are visible by then, and nothing has faded out. */
const THUMBNAIL_AT = 0.3
/** Weight of a second of 4k relative to 1080p. */
const FACTOR_4K = 1.5

/** Runs work concurrently; if any fails, rejects once all have settled, because they share files. */
const allDone = async <const T extends readonly Promise<unknown>[]>(work: T) => {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** Records the completion of a render and its usage. */
const complete = async (
  sql: Sql,
  { render }: Pick<JobRun, 'render'>,
  facts: Readonly<Record<string, unknown>> & { readonly duration: number },
  warnings: readonly Warning[],
): Promise<RenderRow | undefined> => {
  const columns = Object.keys(facts)
  const [row] = await sql.rows<RenderRow>(
    `UPDATE vid.renders SET status = 'completed', progress = 1, completed_at = now(), warnings = $2,
       ${columns.map((name, index) => `${name} = $${index + 3}`).join(', ')}
     WHERE id = $1 AND status = 'rendering' AND deleted_at IS NULL RETURNING *`,
    [render.id, JSON.stringify(warnings), ...Object.values(facts)],
  )
  if (!row) return undefined
  const billed = facts.duration * (render.request.resolution === '4k' ? FACTOR_4K : 1)
  await sql.run(
    `INSERT INTO vid.usage (render_id, account_id, rendered_seconds, billed_seconds)
     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [render.id, render.account_id, facts.duration, billed],
  )
  return row
}

/** Resolves to the one file in which a video is sent: a folder becomes a zip. */
const packVideo = async ({ path }: FinishedVideo, { render, signal, workDir }: JobRun): Promise<string> => {
  if (render.request.format !== 'hls') return path
  const zip = join(workDir, 'video.zip')
  await writeProjectZip(path, await readManifest(path, { signal }), zip, { signal })
  return zip
}

/** Writes the thumbnail of a video. */
const takeThumbnail = async (
  { path: video, frames, durationMs }: FinishedVideo,
  path: string,
  { render, signal, workDir }: JobRun,
): Promise<void> => {
  const frame = Math.floor(frames * THUMBNAIL_AT)
  const frameSeconds = durationMs / 1000 / frames
  const write = (file: string, time: number) =>
    writeThumbnail({ file, path, seconds: time, maxSide: THUMBNAIL_PIXELS, signal })
  // Between two frames: the next one is used, however times are rounded.
  if (render.request.format !== 'hls') return write(video, Math.max(0, frame - 0.5) * frameSeconds)
  const part = join(workDir, 'thumbnail.mp4')
  // The frame may be the first of its segment, which the time before it is not in.
  const middle = await copyPartAt(video, (frame + 0.5) * frameSeconds, part, signal)
  await write(part, Math.max(0, middle - frameSeconds))
}

/** Stores what players do not have yet of a video that is a folder; undefined for another one. */
const keepStream = async (
  { path: folder }: FinishedVideo,
  { render, signal }: JobRun,
  { database, storage }: Pick<WorkerParts, 'database' | 'storage'>,
): Promise<PublishedVideo | undefined> => {
  if (render.request.format !== 'hls') return undefined
  const stream = { renderId: render.id, attempt: render.attempt }
  const earlier = await readProgress(database, stream)
  const files = await mediaIn(folder)
  // The same plan has the same bytes.
  const names = files.filter((name) => !earlier.files.includes(name))
  await storeStreamFiles(storage, { folder, names, prefix: streamPrefix(stream) }, signal)
  const texts = Object.entries(await playlistsIn(folder))
  const playlists = Object.fromEntries(texts.map(([name, text]) => [name, grownPlaylist(text)]))
  return { segments: Math.max(1, render.segments), playlists, files }
}

/** Stores a finished video with its thumbnail, and ends its render and the job. */
export const finishRender = async (video: FinishedVideo, run: JobRun, parts: WorkerParts): Promise<void> => {
  const { storage, onEnded, log } = parts
  const { render, signal, workDir } = run
  const { extension, type } = resultFiles[render.request.format]
  const prefix = resultPrefix(render.id)
  const videoKey = `${prefix}video.${extension}`
  const thumbnailKey = `${prefix}thumbnail.jpg`
  const keepVideo = async () => {
    const file = await packVideo(video, run)
    const stored = storage.put(videoKey, file, { type, signal })
    const [{ size }, digest] = await allDone([stat(file), digestFile(file, signal), stored])
    return { bytes: size, digest }
  }
  const keepThumbnail = async () => {
    const path = join(workDir, 'thumbnail.jpg')
    await takeThumbnail(video, path, run)
    await storage.put(thumbnailKey, path, { type: 'image/jpeg', signal })
  }
  const [{ bytes, digest }, stream, posterKey] = await allDone([
    keepVideo(),
    keepStream(video, run, parts),
    keepPoster(video, run, parts),
    keepThumbnail(),
  ])
  const facts = {
    duration: video.durationMs / 1000,
    frames_rendered: video.frames,
    total_frames: video.frames,
    width: video.picture.width,
    height: video.picture.height,
    video_key: videoKey,
    video_bytes: bytes,
    video_sha256: digest,
    thumbnail_key: thumbnailKey,
    poster_key: posterKey,
  }
  await run.finish(async (sql) => {
    const row = await complete(sql, run, facts, distinctWarnings(video.warnings))
    if (row && stream) await showWhole(sql, { renderId: render.id, attempt: render.attempt }, stream)
    if (row) await announceEnd(sql, row, onEnded)
  })
  log.info({ renderId: render.id, frames: video.frames }, 'a render has completed')
  // The sweep removes leftovers of a failure.
  if (run.job.data.kind === 'join') await removePrefix(storage, workPrefix(render.id)).catch(() => {})
}

/** Removes all objects below a prefix. */
export const removePrefix = async (storage: WorkerParts['storage'], prefix: string): Promise<void> => {
  const keys = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  if (keys.length > 0) await storage.remove(keys)
}
