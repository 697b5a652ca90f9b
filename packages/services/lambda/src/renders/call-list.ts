import { listObjects, withBucket } from '@vid/s3'
import { type CallRecord, readCallRecord } from '../contract/call-records.ts'
import { renderKeys } from '../contract/object-keys.ts'

/** Lists the records of a render's calls in the bucket. */
export const listCalls = (
  { bucketName, region }: { readonly bucketName: string; readonly region: string },
  renderId: string,
  signal: AbortSignal | undefined,
): Promise<readonly CallRecord[]> =>
  withBucket({ bucketName, region, signal }, async (place) => {
    const records: CallRecord[] = []
    for await (const { key, writtenMs } of listObjects(place, renderKeys(renderId).calls)) {
      const record = readCallRecord(key, writtenMs)
      if (record) records.push(record)
    }
    return records
  })
