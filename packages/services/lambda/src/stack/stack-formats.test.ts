import { createS3Client, type S3Bucket } from '@vid/s3'
import { expect, onTestFinished, test } from 'vitest'
import { FORMATS_KEY } from '../contract/object-keys.ts'
import { startBucket } from '../fixtures/bucket.ts'
import { completeOutputs } from '../fixtures/formation.ts'
import { checkStackFormat } from '../index.ts'
import { updateFormats } from './stack-formats.ts'

const place = { bucketName: 'videos', stateMachineArn: completeOutputs.RenderStateMachineArn }

const open = async () => {
  const { objects, seen } = await startBucket()
  const client = await createS3Client()
  onTestFinished(() => client.destroy())
  const bucket: S3Bucket = { client, bucket: 'videos' }
  const storedFormats = () => objects.get(FORMATS_KEY)?.body.toString()
  const put = (text: string) => objects.set(FORMATS_KEY, { body: Buffer.from(text), type: undefined, writtenMs: 0 })
  return { bucket, seen, storedFormats, put }
}

const check = (format: Parameters<typeof checkStackFormat>[1]) => checkStackFormat(place, format)

test('a format that the stack does not make is refused with those that it makes', async () => {
  const { bucket } = await open()
  await updateFormats(bucket, ['mp4', 'gif', 'mp4'], async () => {})
  await expect(check({ format: 'webp' })).rejects.toMatchObject({
    code: 'VID_LAMBDA_FORMAT',
    message: 'The stack vid-render does not encode "webp"; its formats: gif, mp4.',
    hint: expect.stringContaining('vid lambda deploy --stack vid-render'),
    fault: 'caller',
  })
  await check({ format: 'gif' })
  await check({})
})

test('nothing is refused where the formats are not known, or a preset of the function may bring more', async () => {
  const { bucket, put } = await open()
  await check({ format: 'webp' })
  for (const text of ['', '{"formats":[]}', '{"formats":"mp4"}', 'mp4']) {
    put(text)
    await check({ format: 'webp' })
  }
  await updateFormats(bucket, ['mp4'], async () => {})
  await check({ format: 'webp', preset: 'web' })
})

test('while formats change none are known, and they stay unknown when the update fails', async () => {
  const { bucket, storedFormats } = await open()
  await updateFormats(bucket, ['mp4'], async () => {})
  const failed = updateFormats(bucket, ['mp4', 'webp'], async () => {
    expect(storedFormats()).toBeUndefined()
    throw new Error('no update')
  })
  await expect(failed).rejects.toThrow('no update')
  expect(storedFormats()).toBeUndefined()
  await updateFormats(bucket, ['mp4', 'webp'], async () => {})
  expect(storedFormats()).toBe('{"formats":["mp4","webp"]}\n')
})

test('formats that stay are not written again, and a function whose formats are not known has none in the bucket', async () => {
  const { bucket, seen, storedFormats } = await open()
  await updateFormats(bucket, ['mp4'], async () => {})
  const before = seen.length
  await updateFormats(bucket, ['mp4'], async () => expect(storedFormats()).toContain('mp4'))
  expect(seen.slice(before).map(({ method }) => method)).toEqual(['GET'])
  await updateFormats(bucket, undefined, async () => {})
  expect(storedFormats()).toBeUndefined()
})

test('the formats of a package that the stack does not have after all are not written', async () => {
  const { bucket, storedFormats } = await open()
  await updateFormats(
    bucket,
    ['mp4'],
    async () => 'another package',
    (digest) => digest === 'own package',
  )
  expect(storedFormats()).toBeUndefined()
})
