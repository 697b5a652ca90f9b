import { countedBytes, countedProgress, createTrouble, type Progress, type Report } from '@vid/command'
import { readManifest } from '@vid/project'
import { printable } from '@vid/protocol'
import { leftBehindWarnings, type RemoteWatch } from '@vid/remote'
import type { CloudClient } from '../../cloud/client.ts'
import { cloudLeftBehind } from '../../cloud/left-behind.ts'
import { cloudRemote } from '../../cloud/remote-render.ts'
import type { CloudRecord, CloudRenderInput } from '../../contract/index.ts'
import { fail } from '../../errors.ts'
import { waitingOf } from './options.ts'
import { withoutAddresses } from './record-text.ts'

/** The context of a command that renders on the hosted API. */
export interface CloudRun {
  readonly client: CloudClient
  readonly report: Report
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Identifies the upload and the submission of this run. */
  readonly idempotencyKey: string
  readonly json: boolean
}

const EVENT_MS = 100

/** Shows the number of transferred bytes. */
export const createByteProgress = ({ progress }: Pick<CloudRun, 'progress'>, doing: string) =>
  countedProgress(progress, countedBytes(doing))

/** Uploads a folder; resolves to the id of the asset. */
export const uploadProject = async (run: CloudRun, folder: string, entry: string): Promise<string> => {
  const { client, report, signal, idempotencyKey } = run
  const manifest = await readManifest(folder, { signal })
  const project = { projectDir: folder, manifest, entry }
  for (const warning of await leftBehindWarnings(project, cloudLeftBehind)) report.warn(warning)
  const show = createByteProgress(run, 'uploading')
  let last = -Infinity
  const asset = await client.upload(
    { folder, manifest },
    {
      signal,
      idempotencyKey,
      onProgress(sentBytes, totalBytes) {
        show(sentBytes, totalBytes)
        if (sentBytes < totalBytes && performance.now() - last < EVENT_MS) return
        last = performance.now()
        report.event({ type: 'cloud-upload', sentBytes, totalBytes })
      },
    },
  )
  return asset.asset_id
}

/** A submitted render, and the wait for it, which rejects with the server's reason if the render fails. */
export interface SubmittedRender {
  readonly renderId: string
  wait(): Promise<CloudRecord>
}

type PlayedVideo = Pick<CloudRecord, 'render_id' | 'status' | 'playlist_url'>

/** Reports the address at which each video plays while it is rendered, once. */
const createPlaylistReport = ({ report, progress, json }: CloudRun) => {
  const reported = new Set<string>()
  const reportVideo = ({ render_id: renderId, status, playlist_url: url = null }: PlayedVideo): void => {
    if (reported.has(renderId) || !url || status !== 'rendering') return
    reported.add(renderId)
    progress.clear()
    if (!json) report.note(`plays while it is rendered: ${printable(url)}`)
    report.event({ type: 'cloud-playlist', render_id: renderId, playlist_url: url })
  }
  return (record: CloudRecord): void => {
    for (const video of record.outputs ?? [record]) reportVideo(video)
  }
}

const watchOf = (run: CloudRun): RemoteWatch<CloudRecord> => {
  const { report, progress, signal } = run
  const trouble = createTrouble(progress)
  const reportPlaylist = createPlaylistReport(run)
  let lastStatus = ''
  return {
    signal,
    onState(record) {
      const { status, progress: share, frames_rendered: framesRendered, total_frames: totalFrames } = record
      trouble.reset()
      reportPlaylist(record)
      report.event({ type: 'cloud-progress', render: withoutAddresses(record) })
      if (status === 'rendering') progress.update({ stage: 'render', progress: share, framesRendered, totalFrames })
      else if (status === 'queued' && lastStatus !== status) progress.show('queued')
      lastStatus = status
    },
    onTrouble: trouble.show,
  }
}

/** Submits a render, which continues if the wait for it ends early. */
export const submitRender = async (
  run: CloudRun,
  body: CloudRenderInput,
  options: Parameters<typeof waitingOf>[0],
): Promise<SubmittedRender> => {
  const { client, signal, report, idempotencyKey } = run
  const remote = cloudRemote(client, body, { idempotencyKey, ...waitingOf(options) })
  const submitted = await remote.submit(signal)
  const { render_id: renderId, status } = submitted
  report.event({ type: 'cloud-submit', render_id: renderId, status })
  const wait = async () => {
    try {
      return await remote.follow(submitted, watchOf(run))
    } catch (thrown) {
      run.progress.clear()
      throw signal.aborted ? fail('VID_RENDER_LEFT', { renderId }, { cause: thrown }) : thrown
    }
  }
  return { renderId, wait }
}
