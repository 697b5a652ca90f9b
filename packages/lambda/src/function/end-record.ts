import { putObject, type S3Bucket } from '@vid/s3'
import { type Call, type CallEnd, endKey } from '../contract/call-records.ts'

/** How often the record is tried, and milliseconds for each try: the time of the call itself may be over. */
const TRIES = 2
const TRY_MS = 4000

/**
 * Writes the record of how a call ended. A failure is logged and not thrown: the work of the call is done, or has failed
 * for another reason, and a call without this record is counted until the next one of its chunk.
 */
export const putEndRecord = async (
  place: Pick<S3Bucket, 'client' | 'bucket'>,
  call: Call,
  end: CallEnd,
  tries: number = TRIES,
): Promise<void> => {
  const { client, bucket } = place
  try {
    // It says all by its key.
    await putObject({ client, bucket, signal: AbortSignal.timeout(TRY_MS) }, endKey(call, end), '')
  } catch (thrown) {
    console.error(thrown)
    if (tries > 1) await putEndRecord(place, call, end, tries - 1)
  }
}
