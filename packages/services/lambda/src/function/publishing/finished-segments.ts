import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { downloadObject, exists, listObjects, type S3Bucket } from '@vid/s3'
import { delay, digestFile } from '@vid/system'
import { renderKeys } from '../../contract/object-keys.ts'
import { fail } from '../../errors.ts'

/** Milliseconds between two looks for the next segment. */
const POLL_MS = 1000

/** Milliseconds for which a call waits for a segment: the chunk that renders it may need the place of this call. */
const IDLE_MS = 120_000

/** The segments of a render, as the call that publishes them sees them. */
export interface FinishedSegments {
  readonly renderId: string
  readonly count: number
  /** Absolute path of the folder of the call. */
  readonly workDir: string
  /** When the call has to end, in milliseconds since 1970. */
  readonly endsMs: number
  readonly signal: AbortSignal
  /** Whether players see the whole video, or its render has ended. */
  isOver(): boolean
  readonly pollMs?: number
  readonly idleMs?: number
}

/** Downloads the segment with a number; undefined if no chunk has finished it. */
const fetchFinished = async (
  place: S3Bucket,
  { renderId, workDir, signal }: FinishedSegments,
  number: number,
): Promise<string | undefined> => {
  const prefix = renderKeys(renderId).segmentsOf(number)
  for await (const { key } of listObjects(place, prefix)) {
    const path = join(workDir, `finished-${number}`)
    // A render that has ended removes its segments.
    if (!(await downloadObject(place, key, path))) return undefined
    const digest = await digestFile(path, signal)
    if (digest.startsWith(key.slice(prefix.length))) return path
    throw fail('VID_LAMBDA_ALTERED', { key, problem: `its SHA-256 is ${digest}` })
  }
  return undefined
}

/**
 * Paths of the finished segments of a render in order, whichever chunk has rendered them; waits for each. Ends with the
 * render. Fails with VID_LAMBDA_STREAM_WAITS if no segment comes for long, or the time of the call is over.
 */
export async function* finishedSegments(place: S3Bucket, segments: FinishedSegments): AsyncGenerator<string> {
  const { renderId, count, endsMs, signal, isOver, pollMs = POLL_MS, idleMs = IDLE_MS } = segments
  const { failure } = renderKeys(renderId)
  for (let number = 0; number < count && !isOver(); number += 1) {
    const giveUpMs = Math.min(endsMs, Date.now() + idleMs)
    let path = await fetchFinished(place, segments, number)
    while (path === undefined) {
      if (await exists(place, failure)) return
      if (Date.now() >= giveUpMs) throw fail('VID_LAMBDA_STREAM_WAITS', { segment: number })
      await delay(pollMs, signal)
      path = await fetchFinished(place, segments, number)
    }
    if (Date.now() >= endsMs) throw fail('VID_LAMBDA_STREAM_WAITS', { segment: number })
    yield path
    await rm(path, { force: true })
  }
}
