import { listObjects, type S3Bucket } from '@vid/s3'
import { type FunctionCall, readCallRecord } from '../../contract/call-records.ts'
import { renderKeys } from '../../contract/object-keys.ts'

/** Calls of a render that may publish, fewer than the workflow would start. */
const MAX_CALLS = 50

/** Calls that may fail or be killed, fewer than after which the workflow would fail the render. */
const MAX_FAILURES = 2

/** What earlier calls have achieved that published the video of the same render. */
export interface EarlierPublishing {
  /** Whether further calls would end as they did. */
  readonly isUseless: boolean
  /** Whether another call may follow a failure of this one. */
  readonly mayRetry: boolean
}

/** Counts the earlier calls that published a video, by the records of their starts and ends. */
export const readEarlierPublishing = async (
  place: S3Bucket,
  { renderId, action, requestId }: FunctionCall,
): Promise<EarlierPublishing> => {
  const prefix = `${renderKeys(renderId).calls}${action}.`
  const outcomes = new Map<string, string | undefined>()
  for await (const { key, writtenMs } of listObjects(place, prefix)) {
    const record = readCallRecord(key, writtenMs)
    if (!record || record.requestId === requestId) continue
    outcomes.set(record.requestId, record.end?.outcome ?? outcomes.get(record.requestId))
  }
  const failures = [...outcomes.values()].filter((outcome) => outcome !== 'VID_LAMBDA_STREAM_WAITS').length
  return {
    isUseless: failures >= MAX_FAILURES || outcomes.size >= MAX_CALLS,
    mayRetry: failures + 1 < MAX_FAILURES,
  }
}
