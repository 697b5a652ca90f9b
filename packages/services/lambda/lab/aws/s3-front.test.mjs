import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAws } from './fixtures/endpoints.mjs'

const place = { Bucket: 'files', Key: 'one' }
let aws
beforeAll(async () => {
  aws = await openAws()
  await aws.s3.send(new CreateBucketCommand({ Bucket: place.Bucket }))
})
afterAll(() => aws.close())

const put = (Body) => aws.s3.send(new PutObjectCommand({ ...place, Body }))
const get = async () => {
  const { Body } = await aws.s3.send(new GetObjectCommand(place))
  return Body.transformToString()
}

test('requests go through to the S3 server, which checks their signatures', async () => {
  await put('text')
  expect(await get()).toBe('text')
})

test('a rule disturbs the requests that it names, as often as it says', async () => {
  await put('a'.repeat(1000))
  await aws.control('rules', [{ method: 'GET', key: '^files/one$', kind: 'status', skip: 1, times: 1 }])
  expect(await get()).toHaveLength(1000)
  await expect(get()).rejects.toMatchObject({ name: 'SlowDown' })
  expect(await get()).toHaveLength(1000)
  const { rules } = await aws.control('state')
  expect(rules).toMatchObject([{ seen: 3, done: 1 }])
})

test.each([
  ['a body that ends early', { kind: 'cut' }],
  ['a connection that is closed', { kind: 'reset' }],
])('%s is an error of the client', async (_, rule) => {
  await put('a'.repeat(1000))
  await aws.control('rules', [{ method: 'GET', ...rule }])
  await expect(get()).rejects.toThrow()
})

test('a slow body arrives whole', async () => {
  await put('a'.repeat(1000))
  await aws.control('rules', [{ method: 'GET', kind: 'slow', bytesPerSecond: 4000 }])
  expect(await get()).toBe('a'.repeat(1000))
})

test('an object can be changed just before it is read', async () => {
  await put('before')
  await aws.control('rules', [{ method: 'GET', kind: 'put', body: 'after' }])
  expect(await get()).toBe('after')
})

test('a request that is held goes on as the next rules say', async () => {
  await put('before')
  const rule = { method: 'PUT', key: '^files/one$' }
  const seen = async (count) =>
    expect.poll(async () => (await aws.control('state')).rules).toMatchObject([{ done: count }])
  await aws.control('rules', [{ ...rule, kind: 'hold' }])
  const writing = put('after')
  await seen(1)
  expect(await get()).toBe('before')
  await aws.control('rules', [{ ...rule, kind: 'hold' }])
  await seen(1)
  expect(await get()).toBe('before')
  await aws.control('rules', [])
  await writing
  expect(await get()).toBe('after')
})
