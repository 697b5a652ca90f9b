import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { delay } from '@vid/system'
import { untilReachable } from '../database/until-reachable.ts'
import { readRender } from '../queue/render-row.ts'
import { mediaIn, playlistsIn } from '../streams/hls-folder.ts'
import { type StreamId, streamPrefix } from '../streams/stream-key.ts'
import { readProgress, readSegment, showSegments } from '../streams/stream-records.ts'
import { type JobTools, withShapedProject } from './render-job.ts'
import { renderSettingsOf } from './render-settings.ts'
import { fetchPlan } from './segment-job.ts'
import { removeMedia, storeStreamFiles } from './stream-files.ts'

/** A video that this worker publishes. */
export interface HeldStream extends StreamId {
  readonly workerId: string
  /** Absolute folder for its files, removed after it. */
  readonly workDir: string
  readonly signal: AbortSignal
}

/** Paths of the finished segments of a render in order; waits for each, and ends with the render. */
async function* finishedSegments(stream: HeldStream, { parts, settings }: JobTools, count: number) {
  const { database, storage } = parts
  const { workerId, workDir, signal } = stream
  for (let number = 0; number < count; number += 1) {
    const find = () => untilReachable(() => readSegment(database, stream, number, workerId), signal)
    let segment = await find()
    while (segment?.key === null) {
      await delay(settings.pollMs, signal)
      segment = await find()
    }
    if (!segment?.key) return
    const path = join(workDir, `segment-${number}`)
    // A segment that is lost has the render begun anew by the job that joins it.
    if (!(await storage.get(segment.key, path, { signal }))) return
    yield path
    await rm(path, { force: true })
  }
}

/** Publishes the video of a render as its segments are finished, whichever worker has rendered them. */
export const publishStream = async (stream: HeldStream, tools: JobTools): Promise<void> => {
  const { parts, settings } = tools
  const { database, storage, renderer } = parts
  const { renderId, workDir, signal } = stream
  const render = await untilReachable(() => readRender(database, renderId), signal)
  if (!render) return
  const prefix = streamPrefix(stream)
  await withShapedProject({ render, signal, workDir }, parts, async (project) => {
    const plan = await fetchPlan({ render }, parts)
    // What another worker has published before it ended has the same bytes.
    const earlier = await untilReachable(() => readProgress(database, stream), signal)
    const folder = join(workDir, 'stream')
    await mkdir(folder)
    const stored = new Set(earlier.files)
    let segments = 0
    await renderer.publishSegments(
      renderSettingsOf(render.request, project, settings.render, workDir),
      {
        plan,
        folder,
        segments: finishedSegments(stream, tools, plan.segments.length),
        async onSegment(index) {
          segments += 1
          const video = dirname(index)
          const names = await mediaIn(video)
          const newNames = names.filter((name) => !stored.has(name))
          await storeStreamFiles(storage, { folder: video, names: newNames, prefix }, signal)
          for (const name of newNames) stored.add(name)
          await removeMedia(video, names)
          if (segments <= earlier.segments) return
          const shown = { segments, playlists: await playlistsIn(video), files: [...stored] }
          await untilReachable(() => database.transaction((sql) => showSegments(sql, stream, shown)), signal)
        },
      },
      { signal },
    )
  })
}
