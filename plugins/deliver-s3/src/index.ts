import { extname } from 'node:path'
import { type ArtifactFile, artifactFiles, defineDelivery, INDEX_PLAYLIST, Type, withDefault } from '@vid/kernel'
import { checkBucket, checkCredentials, createS3Client, proveWriting, s3Options } from '@vid/s3'
import { checkKeyTemplate, checkResults, fillKey, resultKeys } from './key.ts'
import { type UploadPlace, uploadFolder, uploadOne } from './upload.ts'

export { deliverS3Errors } from './errors.ts'
export { deliverS3Warnings } from './warnings.ts'

const MIB = 2 ** 20

/** What a key calls the format of a result: of a folder of images, the extension of its files. */
const formatOf = (files: readonly ArtifactFile[], outputPath: string): string => {
  if (files.some(({ name }) => name === INDEX_PLAYLIST)) return 'hls'
  return extname(files[0]?.name || outputPath).slice(1)
}

const placeOf = (
  client: UploadPlace['place']['client'],
  options: {
    readonly bucket: string
    readonly cacheControl?: string
    readonly partSize: number
    readonly concurrency: number
  },
  signal: AbortSignal,
  warn: UploadPlace['warn'],
): UploadPlace => {
  const { bucket, cacheControl, partSize: partBytes, concurrency } = options
  return { place: { client, bucket, signal }, cacheControl, partBytes, concurrency, warn }
}

const s3 = defineDelivery({
  name: '@vid/deliver-s3',
  options: Type.Object({
    ...s3Options,
    /** Key of the object; for a folder of images, its prefix. */
    key: withDefault(Type.String(), '{name}'),
    cacheControl: Type.Optional(Type.String()),
    /** Bytes of a part; a larger file is uploaded in parts of this size. */
    partSize: withDefault(Type.Integer({ minimum: 5 * MIB, maximum: 512 * MIB }), 8 * MIB),
    /** Parts, or files of a folder, uploaded at the same time; each is held in memory. */
    concurrency: withDefault(Type.Integer({ minimum: 1, maximum: 32 }), 4),
    /** Attempts per request. */
    attempts: withDefault(Type.Integer({ minimum: 1, maximum: 20 }), 5),
    /** Uploads an hls video while it is rendered; otherwise once it is finished. */
    growing: withDefault(Type.Boolean(), false),
    /** Timeout of one request, in milliseconds. */
    timeoutMs: withDefault(Type.Integer({ minimum: 1, maximum: 3_600_000 }), 120_000),
  }),
  async deliver(artifact, { outputPath }, { options, signal, warn }) {
    signal.throwIfAborted()
    const files = await artifactFiles(artifact.path)
    const isFolder = files[0]?.name !== ''
    const key = fillKey(options.key, { outputPath, format: formatOf(files, outputPath), date: new Date() })
    const client = await createS3Client(options)
    const to = placeOf(client, options, signal, warn)
    try {
      if (isFolder) await uploadFolder(files, key, to)
      else for (const file of files) await uploadOne(file, key, to)
    } finally {
      client.destroy()
    }
    return `s3://${options.bucket}/${key}${isFolder ? '/' : ''}`
  },
  async grow({ outputPath }, { options, signal, warn }) {
    const { openGrowth } = await import('./growth.ts')
    const key = fillKey(options.key, { outputPath, format: 'hls', date: new Date() })
    const client = await createS3Client(options)
    return openGrowth(key, placeOf(client, options, signal, warn), () => client.destroy())
  },
  places: (request, { options }) => resultKeys(options.key, request).map((key) => `s3://${options.bucket}/${key}`),
  async check(request, { options, signal }) {
    checkResults(options.key, request)
    const client = await createS3Client({ ...options, attempts: 2 })
    try {
      await checkBucket({ client, bucket: options.bucket, signal })
    } finally {
      client.destroy()
    }
  },
  async examine({ options, signal }) {
    const { bucket } = options
    const key = fillKey(options.key, { outputPath: 'examined.mp4', format: 'mp4', date: new Date() })
    const client = await createS3Client({ ...options, attempts: 1 })
    try {
      await proveWriting({ client, bucket, signal }, key)
      return `results can be written to s3://${bucket}/${key}`
    } finally {
      client.destroy()
    }
  },
})

/** Uploads the finished video, or folder of files, to S3 or a compatible server. */
export default (options: Parameters<typeof s3>[0]): ReturnType<typeof s3> => {
  const plugin = s3(options)
  // Checked before anything is rendered.
  checkKeyTemplate(String(plugin.options.key))
  checkCredentials(plugin.options)
  if (plugin.options.growing) return plugin
  const { grow: _, ...finished } = plugin
  return finished
}
