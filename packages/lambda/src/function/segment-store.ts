import { defineStore, Type } from '@vid/kernel'
import { type S3Bucket, s3Blobs } from '@vid/s3'
import { prefixes } from '../contract/object-keys.ts'

/** Milliseconds that one blob may take, with all its attempts. */
const BLOB_MS = 60_000

/** The store of finished segments in the bucket, which all renders share. */
export const keptSegments = ({ client, bucket }: S3Bucket) =>
  defineStore({
    name: '@vid/lambda-segments',
    options: Type.Object({}),
    open: async ({ signal, warn }) => ({
      ...s3Blobs({ client, bucket, prefix: prefixes.segments, signal }, { blobMs: BLOB_MS, warn }),
      close: async () => {},
    }),
  })
