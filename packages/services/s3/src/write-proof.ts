import { abortOptions, request, type S3Bucket } from './bucket.ts'

/** Proves that these credentials may write to a key: begins an upload and aborts it, so no object is created. */
export const proveWriting = (place: S3Bucket, key: string): Promise<void> =>
  request(place, 'write', key, async () => {
    const { AbortMultipartUploadCommand, CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3')
    const { bucket: Bucket, client } = place
    const object = { Bucket, Key: key }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), abortOptions(place))
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), abortOptions(place))
  })
