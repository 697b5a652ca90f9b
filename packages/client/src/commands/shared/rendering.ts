import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countedBytes, countedProgress, type Progress, type Report } from '@vid/command'
import { type CloudRecord, type CloudRenderInput, describeCause, isVidError, printable } from '@vid/kernel'
import { readManifest } from '@vid/project'
import { findLeftBehind } from '@vid/render'
import type { CloudClient } from '../../cloud/client.ts'
import { renderFailure } from '../../cloud/following.ts'
import { leftBehindWarnings } from '../../cloud/left-behind.ts'
import { fail } from '../../errors.ts'
import { withoutAddresses } from './record-text.ts'

/** What a render on the hosted API works with. */
export interface RemoteRendering {
  readonly client: CloudClient
  readonly report: Report
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Marks the upload and the submission of this run. */
  readonly idempotencyKey: string
  readonly json: boolean
}

const EVENT_MS = 100

/** Shows how many bytes are through. */
export const createByteProgress = ({ progress }: Pick<RemoteRendering, 'progress'>, doing: string) =>
  countedProgress(progress, countedBytes(doing))

/** What of a folder is sent, and what a render here would miss of it. */
const readFiles = async ({ signal, report }: RemoteRendering, folder: string, entry: string) => {
  const manifest = await readManifest(folder, { signal })
  const workDir = await mkdtemp(join(tmpdir(), 'vid-cloud-'))
  try {
    const missing = await findLeftBehind({ projectDir: folder, files: manifest.files, entry, workDir })
    for (const warning of leftBehindWarnings(missing, entry)) report.warn(warning)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
  return manifest
}

/** Sends a folder; resolves to the id of the asset. */
export const uploadProject = async (rendering: RemoteRendering, folder: string, entry: string): Promise<string> => {
  const { client, report, signal, idempotencyKey } = rendering
  const manifest = await readFiles(rendering, folder, entry)
  const show = createByteProgress(rendering, 'uploading')
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

/** Submits a render; resolves to its id. */
export const submitRender = async (rendering: RemoteRendering, body: CloudRenderInput): Promise<string> => {
  const { client, report, signal, idempotencyKey } = rendering
  const { render_id, status } = await client.submit(body, { signal, idempotencyKey })
  report.event({ type: 'cloud-submit', render_id, status })
  return render_id
}

const createRecordProgress = ({ report, progress }: RemoteRendering) => {
  let shown = ''
  return (record: CloudRecord): void => {
    const { status, progress: share, frames_rendered: framesRendered, total_frames: totalFrames } = record
    report.event({ type: 'cloud-progress', render: withoutAddresses(record) })
    if (status === 'rendering') progress.update({ stage: 'render', progress: share, framesRendered, totalFrames })
    else if (status === 'queued' && shown !== status) progress.show('queued')
    shown = status
  }
}

/** Says once in a row why the API is asked again. */
const createTroubleProgress = ({ progress }: RemoteRendering) => {
  let shown = ''
  return (error: unknown): void => {
    const { code, message } = isVidError(error) ? error : { code: '', message: describeCause(error) }
    if (code === shown) return
    shown = code
    progress.show(printable(`asking again: ${message}`))
  }
}

/** How long a render is waited for. */
export interface Waiting {
  readonly pollMs: number
  readonly maxWaitMs: number
}

/** Waits until a render has completed; a render that has failed rejects with the server's reason. */
export const waitThere = async (
  rendering: RemoteRendering,
  renderId: string,
  waiting: Waiting,
): Promise<CloudRecord> => {
  const { client, progress, signal } = rendering
  try {
    const onRecord = createRecordProgress(rendering)
    const onTrouble = createTroubleProgress(rendering)
    const record = await client.waitForRender(renderId, { ...waiting, signal, onRecord, onTrouble })
    if (record.status === 'failed') throw renderFailure(record)
    return record
  } catch (thrown) {
    progress.clear()
    throw signal.aborted ? fail('VID_RENDER_LEFT', { renderId }, { cause: thrown }) : thrown
  }
}
