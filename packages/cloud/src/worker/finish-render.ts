import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeThumbnail } from '@vid/ffmpeg'
import type { Size, Warning } from '@vid/kernel'
import { digestFile } from '@vid/system'
import type { Sql } from '../database/database.ts'
import type { RenderRow } from '../queue/render-row.ts'
import { distinctWarnings, type JobRun } from './held-job.ts'
import type { WorkerParts } from './parts.ts'
import { resultPrefix, workPrefix } from './storage-keys.ts'

/** A finished video. */
export interface FinishedVideo {
  /** Absolute path. */
  readonly path: string
  readonly frames: number
  readonly durationMs: number
  readonly picture: Size
  readonly warnings: readonly Warning[]
}

const TYPES = { mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime' } as const

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

/** Stores a finished video with its thumbnail, and ends its render and the job. */
export const finishRender = async (
  video: FinishedVideo,
  run: JobRun,
  { storage, onEnded, log }: WorkerParts,
): Promise<void> => {
  const { render, signal, workDir } = run
  const { format } = render.request
  const duration = video.durationMs / 1000
  const prefix = resultPrefix(render.id)
  const videoKey = `${prefix}video.${format}`
  const thumbnailKey = `${prefix}thumbnail.jpg`
  const keepThumbnail = async () => {
    const path = join(workDir, 'thumbnail.jpg')
    // Between two frames: the next one is used, however times are rounded.
    const frame = Math.floor(video.frames * THUMBNAIL_AT)
    const seconds = frame === 0 ? 0 : ((frame - 0.5) * duration) / video.frames
    await writeThumbnail({ file: video.path, path, seconds, maxSide: THUMBNAIL_PIXELS, signal })
    await storage.put(thumbnailKey, path, { type: 'image/jpeg', signal })
  }
  const [sha256] = await allDone([
    digestFile(video.path, signal),
    storage.put(videoKey, video.path, { type: TYPES[format], signal }),
    keepThumbnail(),
  ])
  const facts = {
    duration,
    frames_rendered: video.frames,
    total_frames: video.frames,
    width: video.picture.width,
    height: video.picture.height,
    video_key: videoKey,
    video_bytes: (await stat(video.path)).size,
    video_sha256: sha256,
    thumbnail_key: thumbnailKey,
  }
  await run.finish(async (sql) => {
    const row = await complete(sql, run, facts, distinctWarnings(video.warnings))
    if (row) await onEnded(sql, row)
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
