import { putObject, type S3Bucket } from '@vid/s3'
import { type CallEnd, endKey, type FunctionCall } from '../contract/call-records.ts'

/** Attempts to write the record, and milliseconds for each: the time of the call itself may be over. */
const TRIES = 2
const TRY_MS = 4000

/**
 * Writes the record of a call's end. A failure is logged, not thrown: the work of the call is done or failed for
 * another reason, and a call without this record counts until the next call for its chunk.
 */
export const putEndRecord = async (
  place: Pick<S3Bucket, 'client' | 'bucket'>,
  call: FunctionCall,
  end: CallEnd,
  tries: number = TRIES,
): Promise<void> => {
  const { client, bucket } = place
  try {
    // The key contains everything.
    await putObject({ client, bucket, signal: AbortSignal.timeout(TRY_MS) }, endKey(call, end), '')
  } catch (thrown) {
    console.error(thrown)
    if (tries > 1) await putEndRecord(place, call, end, tries - 1)
  }
}
