import { isAway } from '../database/database.ts'
import { untilReachable } from '../database/until-reachable.ts'
import { repeat } from '../repeat.ts'
import type { StreamId } from '../streams/stream-key.ts'
import { holdStream, releaseStream } from '../streams/stream-records.ts'
import { publishStream } from './publish-stream.ts'
import type { JobTools } from './render-job.ts'
import { withFolder } from './run-job.ts'

/** Most videos that one worker publishes at once: each takes little but a folder. */
const MAX_STREAMS = 16

/** Publishes videos whose segments this worker and others render; it takes no slot. */
export interface Streamer {
  close(): Promise<void>
}

/** Starts to publish videos under the current id of a worker. */
export const startStreamer = (tools: JobTools, workerIdNow: () => string): Streamer => {
  const { parts, settings } = tools
  const { database, log } = parts
  const stop = new AbortController()
  const { signal } = stop
  const publishing = new Set<Promise<void>>()
  const publish = async (stream: StreamId, workerId: string): Promise<void> => {
    let hasFailed = false
    try {
      await withFolder(settings.workDir, (workDir) => publishStream({ ...stream, workerId, workDir, signal }, tools))
    } catch (thrown) {
      hasFailed = !signal.aborted
      if (hasFailed) log.warn({ renderId: stream.renderId, err: thrown }, 'a video could not be published')
    }
    await untilReachable(
      () => database.transaction((sql) => releaseStream(sql, stream, workerId, { hasFailed })),
      // A worker that stops, too, has others go on at once; if the database is away, its row is removed later.
      AbortSignal.timeout(LAST_MS),
    ).catch(() => {})
  }
  const take = async () => {
    while (publishing.size < MAX_STREAMS && !signal.aborted) {
      const workerId = workerIdNow()
      const stream = await holdStream(database, workerId)
      if (!stream) return
      const work = publish(stream, workerId).finally(() => publishing.delete(work))
      publishing.add(work)
    }
  }
  const looking = repeat(take, {
    everyMs: settings.pollMs,
    signal,
    onError: (thrown) => {
      if (!isAway(thrown)) log.error({ err: thrown }, 'no video could be taken to be published')
    },
  })
  return {
    async close() {
      stop.abort(new Error('the worker stops'))
      await looking
      await Promise.all(publishing)
    },
  }
}

/** Time to return videos, in milliseconds. */
const LAST_MS = 10_000
