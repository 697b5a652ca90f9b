import { randomBytes, randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifact, deliver } from './fixtures/deliver.ts'

const { VID_S3_ENDPOINT: endpoint, VID_S3_ACCESS_KEY = '', VID_S3_SECRET_KEY = '' } = process.env

// A real server, which npm run lab -- s3-server starts. Its rules are in the fixture's too.
describe.runIf(endpoint)('a real server', () => {
  const keys = { accessKeyId: VID_S3_ACCESS_KEY, secretAccessKey: VID_S3_SECRET_KEY }
  const Bucket = `videos-${randomUUID()}`
  const options = { bucket: Bucket, endpoint: endpoint ?? '', forcePathStyle: true, ...keys }
  let client: S3Client
  beforeAll(async () => {
    client = new S3Client({ ...options, region: 'us-east-1', credentials: keys })
    await client.send(new CreateBucketCommand({ Bucket }))
  })
  afterAll(() => client.destroy())

  const read = async (Key: string) => {
    const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key }))
    return { type: ContentType, body: Buffer.from((await Body?.transformToByteArray()) ?? []) }
  }
  const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []

  test.each([
    ['in one piece', 1000],
    ['in parts', 17 * 2 ** 20 + 1],
  ])('accepts a file %s', async (_, bytes) => {
    const content = randomBytes(bytes)
    const { error } = await deliver(
      { ...options, key: `{format}/${bytes}.mp4`, partSize: 5 * 2 ** 20 },
      await artifact(content),
    )
    expect(error).toBeUndefined()
    const { type, body } = await read(`mp4/${bytes}.mp4`)
    expect([type, body.equals(content)]).toEqual(['video/mp4', true])
    expect(await uploads()).toEqual([])
  })

  test('accepts a folder, and names beyond ASCII', async () => {
    const path = await artifact({ 'frame_000000.png': 'first', 'frame_000001.png': 'second' })
    const { error } = await deliver({ ...options, key: 'shots/{name}' }, path, {
      outputPath: '/out/höhe (1) & mehr+',
    })
    expect(error).toBeUndefined()
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'shots/' }))
    expect(Contents.map(({ Key }) => Key)).toEqual([0, 1].map((n) => `shots/höhe (1) & mehr+/frame_00000${n}.png`))
  })

  test('keeps nothing of a stopped upload', async () => {
    const stop = new AbortController()
    const content = await artifact(randomBytes(40 * 2 ** 20))
    const delivery = deliver({ ...options, key: 'stopped.mp4', partSize: 5 * 2 ** 20, concurrency: 1 }, content, {
      signal: stop.signal,
    })
    await expect.poll(uploads, { interval: 1 }).toHaveLength(1)
    stop.abort(new Error('enough'))
    expect((await delivery).error?.message).toBe('enough')
    expect(await uploads()).toEqual([])
    await expect(read('stopped.mp4')).rejects.toThrow()
  })

  test('rejects a wrong secret and an unknown bucket', async () => {
    const path = await artifact(Buffer.from('video'))
    expect((await deliver({ ...options, secretAccessKey: 'other' }, path)).error).toMatchObject({
      code: 'VID_S3_DENIED',
    })
    expect((await deliver({ ...options, bucket: 'none-of-ours' }, path)).error).toMatchObject({
      code: 'VID_S3_BUCKET',
    })
  })
})
