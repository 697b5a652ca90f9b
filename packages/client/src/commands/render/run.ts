import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesText, shortPath } from '@vid/command'
import { type CloudProject, type CloudRecord, posterName } from '@vid/kernel'
import { fail } from '../../errors.ts'
import { withoutAddresses } from '../shared/record-text.ts'
import { type CloudRun, createByteProgress, submitRender, uploadProject } from '../shared/rendering.ts'
import { withCloud } from '../shared/session.ts'
import type { CloudPlaces } from './places.ts'
import { type CloudRenderRun, type CloudRenderTask, readRenderTask } from './request.ts'

const projectOf = async (
  rendering: CloudRun,
  { folder, body }: CloudRenderTask,
  { 'asset-id': id, url = '' }: CloudRenderRun['options'],
): Promise<CloudProject> => {
  if (folder !== undefined)
    return {
      type: 'asset_id',
      asset_id: await uploadProject(rendering, folder, body.composition ?? 'index.html'),
    }
  return id === undefined ? { type: 'url', url } : { type: 'asset_id', asset_id: id }
}

const summary = ({ total_frames: frames, duration, size_bytes: bytes }: CloudRecord) =>
  `done: ${frames} frames, ${duration} s of video, ${bytesText(bytes ?? 0)}`

/** Downloads the poster to its place beside the video; a folder has it inside. */
const fetchPoster = async (
  { client, signal }: CloudRun,
  record: CloudRecord,
  places: CloudPlaces,
  video: string,
): Promise<string> => {
  if (record.format === 'hls') return join(video, posterName({ format: 'jpg' }))
  return client.downloadPoster(record, (format) => places.poster(record.render_id, format), { signal })
}

/** Downloads the video of a completed render, and reports it. */
const fetchVideo = async (
  rendering: CloudRun,
  record: CloudRecord,
  { places, body }: CloudRenderTask,
  cwd: string,
): Promise<void> => {
  const { client, report, progress, signal, json } = rendering
  const { render_id: id } = record
  try {
    const path = await places.video(id)
    await mkdir(dirname(path), { recursive: true })
    await client.download(record, path, { signal, onProgress: createByteProgress(rendering, 'downloading') })
    const poster = body.poster === undefined ? undefined : await fetchPoster(rendering, record, places, path)
    progress.clear()
    for (const warning of record.warnings) report.warn(warning)
    if (!json) report.note(summary(record))
    if (!json && poster !== undefined) report.note(`poster: ${shortPath(poster, cwd)}`)
    report.event({
      type: 'cloud-complete',
      outputPath: path,
      ...(poster !== undefined && { posterPath: poster }),
      fileSize: record.size_bytes ?? 0,
      render: withoutAddresses(record),
    })
    report.result(shortPath(path, cwd))
  } catch (thrown) {
    progress.clear()
    if (signal.aborted) throw fail('VID_RENDER_LEFT', { renderId: id }, { cause: thrown })
    if (!json) report.note(`the render has completed; get its video with: vid cloud get ${id}`)
    throw thrown
  }
}

/** `vid cloud render`: sends a project, has it rendered, and downloads the video. */
export const runCloudRender = async (run: CloudRenderRun): Promise<void> => {
  const { cwd, signal, options, json, report, progress } = run
  const ask = await readRenderTask(run)
  for (const warning of ask.warnings) report.warn(warning)
  if (!json) for (const note of ask.notes) report.note(note)
  await withCloud(run, async (client) => {
    const idempotencyKey = options['idempotency-key'] ?? randomUUID()
    const rendering = { client, report, progress, signal, idempotencyKey, json }
    try {
      const body = { ...ask.body, project: await projectOf(rendering, ask, options) }
      const { renderId, wait } = await submitRender(rendering, body, options)
      progress.clear()
      if (options.wait === false) return report.result(renderId)
      if (!json) report.note(`submitted: ${renderId}`)
      await fetchVideo(rendering, await wait(), ask, cwd)
    } finally {
      progress.clear()
    }
  })
}
