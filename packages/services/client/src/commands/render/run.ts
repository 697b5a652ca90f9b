import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesText, shortPath } from '@vid/command'
import { posterName } from '@vid/kernel'
import { renderFailure } from '../../cloud/following.ts'
import type { CloudProject, CloudRecord } from '../../contract/index.ts'
import { fail } from '../../errors.ts'
import { withoutAddresses } from '../shared/record-text.ts'
import { type CloudRun, createByteProgress, submitRender, uploadProject } from '../shared/rendering.ts'
import { withCloud } from '../shared/session.ts'
import type { CloudPlaces, VideoPlace } from './places.ts'
import { type CloudRenderRun, type CloudRenderTask, readCloudRenderTask } from './request.ts'

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

/** A video to download. */
interface FinishedVideo {
  readonly record: CloudRecord
  readonly place: VideoPlace
}

/** Downloads the poster to its place beside the video; a folder has it inside. */
const fetchPoster = async (
  { client, signal }: CloudRun,
  { record, place }: FinishedVideo,
  places: CloudPlaces,
  video: string,
): Promise<string> => {
  if (record.format === 'hls') return join(video, posterName({ format: 'jpg' }))
  return client.downloadPoster(record, (format) => places.poster(place, format), { signal })
}

/** Downloads the video of a completed render, and reports it. */
const fetchVideo = async (
  rendering: CloudRun,
  video: FinishedVideo,
  { places, body }: CloudRenderTask,
  cwd: string,
): Promise<void> => {
  const { client, report, progress, signal, json } = rendering
  const { record, place } = video
  const path = await places.video(place)
  await mkdir(dirname(path), { recursive: true })
  await client.download(record, path, { signal, onProgress: createByteProgress(rendering, 'downloading') })
  const poster = body.poster === undefined ? undefined : await fetchPoster(rendering, video, places, path)
  progress.clear()
  for (const warning of record.warnings) report.warn(warning)
  if (!json) report.note(place.shape === undefined ? summary(record) : `${place.shape}: ${summary(record)}`)
  if (!json && poster !== undefined) report.note(`poster: ${shortPath(poster, cwd)}`)
  report.event({
    type: 'cloud-complete',
    outputPath: path,
    ...(poster !== undefined && { posterPath: poster }),
    fileSize: record.size_bytes ?? 0,
    render: withoutAddresses(record),
  })
  report.result(shortPath(path, cwd))
}

/** Downloads the videos of a render that has ended; if some of its shapes have failed, the others. */
const fetchVideos = async (
  rendering: CloudRun,
  ended: CloudRecord,
  task: CloudRenderTask,
  cwd: string,
): Promise<void> => {
  const { client, report, progress, signal, json } = rendering
  const { render_id: renderId, outputs } = ended
  try {
    if (!outputs) return await fetchVideo(rendering, { record: ended, place: { renderId } }, task, cwd)
    for (const { render_id: id, shape, status } of outputs) {
      if (status !== 'completed') continue
      const record = await client.get(id, { signal })
      await fetchVideo(rendering, { record, place: { renderId, shape } }, task, cwd)
    }
  } catch (thrown) {
    progress.clear()
    if (signal.aborted) throw fail('VID_RENDER_LEFT', { renderId }, { cause: thrown })
    if (!json) report.note(`the render has completed; get its video with: vid cloud get ${renderId}`)
    throw thrown
  }
  if (ended.status === 'failed') throw renderFailure(ended)
}

/** `vid cloud render`: sends a project, has it rendered, and downloads the video. */
export const runCloudRender = async (run: CloudRenderRun): Promise<void> => {
  const { cwd, signal, options, json, report, progress } = run
  const ask = await readCloudRenderTask(run)
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
      await fetchVideos(rendering, await wait(), ask, cwd)
    } finally {
      progress.clear()
    }
  })
}
