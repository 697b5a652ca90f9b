import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CloudProject, CloudRecord } from '@vid/kernel'
import { waitingOf } from '../../../cloud/flags.ts'
import { withoutAddresses } from '../../../cloud/record-text.ts'
import {
  createByteProgress,
  type FarRendering,
  submitRender,
  uploadProject,
  waitThere,
} from '../../../cloud/rendering.ts'
import { withCloud } from '../../../cloud/session.ts'
import { fail } from '../../../errors.ts'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { bytesText, shortPath } from '../../../text.ts'
import { chooseProgress } from '../../render/progress.ts'
import { type CloudAsk, readCloudAsk } from './request.ts'

const projectOf = async (rendering: FarRendering, { flags, folder, body }: CloudAsk): Promise<CloudProject> => {
  if (folder !== undefined)
    return {
      type: 'asset_id',
      asset_id: await uploadProject(rendering, folder, body.composition ?? 'index.html'),
    }
  const { 'asset-id': id, url = '' } = flags
  return id === undefined ? { type: 'url', url } : { type: 'asset_id', asset_id: id }
}

const summary = ({ total_frames: frames, duration, size_bytes: bytes }: CloudRecord) =>
  `done: ${frames} frames, ${duration} s of video, ${bytesText(bytes ?? 0)}`

/** Fetches the video of a completed render, and reports it. */
const fetchVideo = async (
  rendering: FarRendering,
  record: CloudRecord,
  { placeFor }: CloudAsk,
  cwd: string,
): Promise<void> => {
  const { client, report, progress, signal, json } = rendering
  const { render_id: id } = record
  try {
    const path = await placeFor(id)
    await mkdir(dirname(path), { recursive: true })
    await client.download(record, path, { signal, onProgress: createByteProgress(rendering, 'downloading') })
    progress.clear()
    for (const warning of record.warnings) report.warn(warning)
    if (!json) report.note(summary(record))
    report.event({
      type: 'cloud-complete',
      outputPath: path,
      fileSize: record.size_bytes ?? 0,
      render: withoutAddresses(record),
    })
    report.result(shortPath(path, cwd))
  } catch (thrown) {
    progress.clear()
    if (signal.aborted) throw fail('VID_RENDER_LEFT', { renderId: id }, { cause: thrown })
    if (!json) report.note(`the render has completed; its video is there: vid cloud get ${id}`)
    throw thrown
  }
}

/** `vid cloud render`: sends a project, has it rendered, and fetches the video; rejects with the error. */
export const runCloudRender = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { cwd, signal } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const ask = await readCloudAsk(dir, rawFlags, context)
  for (const warning of ask.warnings) report.warn(warning)
  if (!json) for (const note of ask.notes) report.note(note)
  const { flags, body } = ask
  await withCloud(context, async (client) => {
    const progress = chooseProgress(context, report, rawFlags)
    const idempotencyKey = flags['idempotency-key'] ?? randomUUID()
    const rendering = { client, report, progress, signal, idempotencyKey, json }
    try {
      const renderId = await submitRender(rendering, { ...body, project: await projectOf(rendering, ask) })
      progress.clear()
      if (flags.wait === false) return report.result(renderId)
      if (!json) report.note(`submitted: ${renderId}`)
      const record = await waitThere(rendering, renderId, waitingOf(flags))
      await fetchVideo(rendering, record, ask, cwd)
    } finally {
      progress.clear()
    }
  })
}
