import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isVidError } from '@vid/protocol'
import { namesIn, readPlaylists } from '@vid/s3'
import type { PublishEvent, PublishResult } from '../../contract/action-events.ts'
import type { CallRun } from '../call-run.ts'
import { withProject } from '../project.ts'
import { readEarlierPublishing } from '../publishing/earlier-publishing.ts'
import { finishedSegments } from '../publishing/finished-segments.ts'
import { storeMedia } from '../publishing/stream-media.ts'
import { openStreamWriter, type StreamWriter } from '../publishing/stream-writer.ts'
import { type PlannedState, readPlanned } from '../references.ts'
import { withVariables } from './plan-action.ts'

/** Share of the time of a call, and milliseconds, that remain when it stops to publish. */
const LAST_SHARE = 0.25
const LAST_MS = 60_000

/** Stores the new files of a folder that grows, then shows players the segments that it has. */
const showFolder = async (
  folder: string,
  segments: number,
  writer: StreamWriter,
  { place, signal }: CallRun,
): Promise<void> => {
  const playlists = await readPlaylists(folder, signal)
  const present = await readdir(folder)
  const names = [...new Set(playlists.flatMap(({ text }) => namesIn(text)))].filter((name) => present.includes(name))
  const { outputKey } = writer
  const media = await storeMedia(place, { folder, names, outputKey }, writer.media())
  for (const name of names) await rm(join(folder, name), { force: true })
  await writer.show({
    segments,
    media,
    playlists: Object.fromEntries(playlists.map(({ name, text }) => [name, text])),
  })
}

const publish = async ({ input, plan }: PlannedState, writer: StreamWriter, run: CallRun): Promise<void> => {
  const { place, signal, workDir } = run
  const { renderId } = input
  const leftMs = run.endsMs - Date.now()
  const endsMs = run.endsMs - Math.min(LAST_MS, leftMs * LAST_SHARE)
  const folder = join(workDir, 'stream')
  await mkdir(folder)
  const count = plan.segments.length
  let segments = 0
  await withProject(run, await withVariables(input, place), async (settings) => {
    const renderer = await run.renderer()
    await renderer.publishSegments(
      settings,
      {
        plan,
        folder,
        segments: finishedSegments(place, { renderId, count, workDir, endsMs, signal, isOver: writer.isClosed }),
        async onSegment(index) {
          segments += 1
          await showFolder(dirname(index), segments, writer, run)
        },
      },
      { signal, renderId },
    )
  })
}

/**
 * Publishes the segments of an hls video in order while chunks render them. The video does not depend on it: after
 * repeated failures, the call ends as if it had succeeded, and the last call publishes the whole video.
 */
export const runPublishAction = async (event: PublishEvent, run: CallRun): Promise<PublishResult> => {
  const { place, call } = run
  const state = await readPlanned(place, event)
  const { renderId, outputKey } = state.input
  const { isUseless, mayRetry } = await readEarlierPublishing(place, call)
  if (isUseless) return { published: 0, problem: 'the calls that published it were ended again and again' }
  const writer = await openStreamWriter(place, { renderId, outputKey })
  try {
    if (!writer.isClosed()) await publish(state, writer, run)
    return { published: writer.segments() }
  } catch (thrown) {
    const isWaiting = isVidError(thrown) && thrown.code === 'VID_LAMBDA_STREAM_WAITS'
    const mayPass = isVidError(thrown) && thrown.fault === 'machine' && !thrown.final
    if (run.signal.aborted || isWaiting || (mayPass && mayRetry)) throw thrown
    console.error(thrown)
    return { published: writer.segments(), problem: isVidError(thrown) ? thrown.message : String(thrown) }
  }
}
