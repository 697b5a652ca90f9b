import { defineStore, type Static, Type, withDefault } from '@vid/kernel'
import { checkCredentials, clearBlobs, createS3Client, findObject, proveWriting, s3Blobs, s3Options } from '@vid/s3'

const Options = Type.Object({
  ...s3Options,
  /** Key prefix in the bucket; everyone with the same prefix shares segments. */
  prefix: withDefault(Type.String({ pattern: '^(?:[\\w-][\\w.-]*/)+$' }), 'segments/'),
  /** Attempts per request. */
  attempts: withDefault(Type.Integer({ minimum: 1, maximum: 20 }), 3),
  /** Milliseconds that one file may take; a slower store is not used for the rest of a render. */
  timeoutMs: withDefault(Type.Integer({ minimum: 100, maximum: 3_600_000 }), 60_000),
})

/** Share of a file's time after which an unanswered request is retried. */
const REQUEST_SHARE = 1 / 3

const openClient = (options: Static<typeof Options>) =>
  createS3Client({ ...options, timeoutMs: Math.ceil(options.timeoutMs * REQUEST_SHARE) })

const s3 = defineStore({
  name: '@vid/store-s3',
  options: Options,
  async open({ options, signal, warn }) {
    const client = await openClient(options)
    const blobs = s3Blobs({ ...options, client, signal }, { blobMs: options.timeoutMs, warn })
    return {
      ...blobs,
      close: async () => client.destroy(),
    }
  },
  async clean({ options, signal }) {
    const client = await openClient(options)
    return clearBlobs({ ...options, client, signal }).finally(() => client.destroy())
  },
  async examine({ options, signal }) {
    const { bucket, prefix } = options
    const client = await createS3Client({ ...options, attempts: 1 })
    const key = `${prefix}examined`
    try {
      await proveWriting({ client, bucket, signal }, key)
      await findObject({ client, bucket, signal }, key)
      return `segments can be read from and written to s3://${bucket}/${prefix}`
    } finally {
      client.destroy()
    }
  },
})

/** Keeps finished segments in an S3 bucket, or on a compatible server, for every machine of a team. */
export default (options: Parameters<typeof s3>[0]): ReturnType<typeof s3> => {
  const plugin = s3(options)
  // Checked before anything is rendered.
  checkCredentials(plugin.options)
  return plugin
}
