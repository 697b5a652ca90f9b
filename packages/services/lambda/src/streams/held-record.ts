import { parseAs } from '@vid/protocol'
import { putIfUnchanged, readTagged, type S3Bucket } from '@vid/s3'
import { renderKeys } from '../contract/object-keys.ts'
import { type StreamRecord, StreamRecordSchema } from '../contract/stream-record.ts'
import { fail } from '../errors.ts'

/** The playlists of hours in several sizes. */
const MAX_RECORD_BYTES = 64 * 2 ** 20

/** A record as it was read or written; without a tag, there is none yet. */
export interface HeldRecord {
  readonly record: StreamRecord
  readonly tag: string | undefined
}

/** A video of which nothing is published. */
type NewStream = Pick<StreamRecord, 'renderId' | 'outputKey'>

/** Reads the record of a render's video; an empty one if nothing was published. */
export const readStream = async (place: S3Bucket, stream: NewStream): Promise<HeldRecord> => {
  const key = renderKeys(stream.renderId).stream
  const tagged = await readTagged(place, key, MAX_RECORD_BYTES)
  if (!tagged) return { record: { ...stream, isClosed: false, segments: 0, playlists: {}, media: {} }, tag: undefined }
  const record = parseAs(StreamRecordSchema, tagged.text)
  if (record?.renderId !== stream.renderId || record.outputKey !== stream.outputKey)
    throw fail('VID_LAMBDA_ALTERED', { key, problem: 'it is no record of the video of this render' })
  return { record, tag: tagged.tag }
}

/** Replaces a record; undefined if another call has replaced it meanwhile. */
export const replaceStream = async (
  place: S3Bucket,
  record: StreamRecord,
  tag: string | undefined,
): Promise<HeldRecord | undefined> => {
  const key = renderKeys(record.renderId).stream
  const newTag = await putIfUnchanged(place, key, JSON.stringify(record), tag, { type: 'application/json' })
  return newTag === undefined ? undefined : { record, tag: newTag }
}

/** Closes the video of a render: from now on no call publishes a segment. Resolves to what was published. */
export const closeStream = async (place: S3Bucket, stream: NewStream): Promise<StreamRecord> => {
  for (;;) {
    const { record, tag } = await readStream(place, stream)
    if (record.isClosed) return record
    const closed = await replaceStream(place, { ...record, isClosed: true }, tag)
    // Another call has published a segment in between.
    if (closed) return closed.record
  }
}
