import { defineStore } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { type S3Bucket, s3Blobs } from '@vid/s3'
import { prefixes } from '../contract/object-keys.ts'

/** Timeout for one blob with all its attempts, in milliseconds. */
const BLOB_MS = 60_000

/** The segment cache in the bucket, shared by all renders. */
export const segmentCache = ({ client, bucket }: S3Bucket) =>
  defineStore({
    name: '@vid/lambda-segments',
    options: Type.Object({}),
    open: async ({ signal, warn }) => ({
      ...s3Blobs({ client, bucket, prefix: prefixes.segments, signal }, { blobMs: BLOB_MS, warn }),
      close: async () => {},
    }),
  })
