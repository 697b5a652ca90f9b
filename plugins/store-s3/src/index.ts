import { defineStore, type Static, Type, withDefault } from '@vid/kernel'
import { checkCredentials, clearBlobs, createS3Client, findObject, proveWriting, s3Blobs, s3Options } from '@vid/s3'

const Options = Type.Object({
  ...s3Options,
  /** Folder of the bucket; all who use the same one share segments. */
  prefix: withDefault(Type.String({ pattern: '^(?:[\\w-][\\w.-]*/)+$' }), 'segments/'),
  /** Attempts of each request. */
  attempts: withDefault(Type.Integer({ minimum: 1, maximum: 20 }), 3),
  /** Milliseconds that one file may take; a store that is slower is not used for the rest of a render. */
  timeoutMs: withDefault(Type.Integer({ minimum: 100, maximum: 3_600_000 }), 60_000),
})

/** A part of the time for one file, so that a request without an answer is sent again. */
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

/** Keeps finished segments in a bucket of S3, or of a server that speaks its protocol, for every machine of a team. */
export default (options: Parameters<typeof s3>[0]): ReturnType<typeof s3> => {
  const plugin = s3(options)
  // Checked before anything is rendered.
  checkCredentials(plugin.options)
  return plugin
}
