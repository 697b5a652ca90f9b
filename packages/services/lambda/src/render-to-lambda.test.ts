import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FORMATS_KEY, siteKeys } from './contract/object-keys.ts'
import { type AwsAnswer, refusal, startAws } from './fixtures/aws-endpoint.ts'
import { startBucket } from './fixtures/bucket.ts'
import { renderToLambda, stopRender } from './index.ts'

const siteId = 'a'.repeat(64)
const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:vid-render'
const executionArn = 'arn:aws:states:eu-central-1:123456789012:execution:vid-render:film'
const order = {
  siteHandle: siteId,
  bucketName: 'videos',
  stateMachineArn,
  renderId: 'film',
  config: { fps: 30 },
}

const start = async (answer: AwsAnswer = () => ({ executionArn, startDate: 1_790_000_000 })) => {
  const bucket = await startBucket()
  bucket.objects.set(siteKeys(siteId).description, { body: Buffer.from('{}'), type: undefined, writtenMs: 0 })
  const aws = await startAws({ StartExecution: answer, StopExecution: () => ({ stopDate: 1_790_000_001 }) })
  return { bucket, aws }
}

test('a render starts under its id, and says where its result will be', async () => {
  const { aws, bucket } = await start()
  expect(await renderToLambda({ ...order, outputKey: 'videos/film.mp4', batchId: 'night' })).toEqual({
    renderId: 'film',
    executionArn,
    bucketName: 'videos',
    stateMachineArn,
    outputS3Uri: 's3://videos/videos/film.mp4',
    startedAt: new Date(1_790_000_000_000).toISOString(),
  })
  const [call] = aws.of('StartExecution')
  expect(call?.input).toMatchObject({ stateMachineArn, name: 'film' })
  expect(JSON.parse(String(call?.input.input))).toMatchObject({
    action: 'plan',
    renderId: 'film',
    siteId,
    batchId: 'night',
    outputKey: 'videos/film.mp4',
    request: { fps: 30, format: 'mp4' },
  })
  expect([...bucket.objects.keys()]).toEqual([siteKeys(siteId).description])
})

test('what cannot be used is refused before anything is asked of AWS', async () => {
  const { aws, bucket } = await start()
  await expect(
    renderToLambda({ ...order, bucketName: 'Videos', stateMachineArn: 'x', config: { chunkSize: 0 } }),
  ).rejects.toMatchObject({
    field: 'bucketName',
    problems: [{ field: 'bucketName' }, { field: 'stateMachineArn' }, { field: 'config.chunkSize' }],
  })
  await expect(renderToLambda({ ...order, siteHandle: { siteId, bucketName: 'other-videos' } })).rejects.toMatchObject({
    field: 'bucketName',
  })
  expect(aws.calls).toEqual([])
  expect(bucket.seen).toEqual([])
})

test('a render of a site that is not there does not start', async () => {
  const { aws } = await start()
  await expect(renderToLambda({ ...order, siteHandle: 'b'.repeat(64) })).rejects.toMatchObject({
    code: 'VID_LAMBDA_SITE_MISSING',
  })
  expect(aws.calls).toEqual([])
})

test('values that are too large go to the bucket before the start, and never replace those of another render', async () => {
  const { bucket } = await start()
  const folder = await mkdtemp(join(tmpdir(), 'vid-lambda-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const variablesFile = join(folder, 'variables.json')
  const key = 'renders/film/variables.json'
  await writeFile(variablesFile, JSON.stringify({ text: 'x'.repeat(300_000) }))
  await renderToLambda({ ...order, config: { variablesFile } })
  const input = bucket.objects.get(key)?.body.toString()
  expect(input).toHaveLength(300_011)
  await renderToLambda({ ...order, config: { variablesFile } })
  await writeFile(variablesFile, JSON.stringify({ text: 'y'.repeat(300_000) }))
  await expect(renderToLambda({ ...order, config: { variablesFile } })).rejects.toMatchObject({
    code: 'VID_LAMBDA_RENDER_EXISTS',
  })
  expect(bucket.objects.get(key)?.body.toString()).toBe(input)
})

test.each([
  ['ExecutionAlreadyExists', 'VID_LAMBDA_RENDER_EXISTS'],
  ['StateMachineDoesNotExist', 'VID_AWS_NOT_FOUND'],
  ['AccessDeniedException', 'VID_AWS_DENIED'],
  ['UnrecognizedClientException', 'VID_AWS_CREDENTIALS'],
  ['InvalidName', 'VID_AWS_FAILED'],
])('the refusal %s is reported as %s', async (code, expectedCode) => {
  await start(() => refusal(code))
  await expect(renderToLambda(order)).rejects.toMatchObject({ code: expectedCode })
})

test('a stopped render is asked to end, with the reason', async () => {
  const { aws } = await start()
  await stopRender({ executionArn, reason: 'not needed any more' })
  expect(aws.of('StopExecution')[0]?.input).toEqual({
    executionArn,
    error: 'VID_CANCELLED',
    cause: 'not needed any more',
  })
})

test('a signal ends a start with its reason', async () => {
  const { aws } = await start()
  const reason = new Error('enough')
  await expect(renderToLambda({ ...order, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(aws.calls).toEqual([])
})

test('a format that the stack does not make starts nothing', async () => {
  const { aws, bucket } = await start()
  const body = Buffer.from('{"formats":["gif","mp4"]}')
  bucket.objects.set(FORMATS_KEY, { body, type: undefined, writtenMs: 0 })
  const call = renderToLambda({ ...order, config: { fps: 30, format: 'webp' } })
  await expect(call).rejects.toMatchObject({ code: 'VID_LAMBDA_FORMAT' })
  expect(aws.calls).toEqual([])
  await renderToLambda(order)
  expect(aws.of('StartExecution')).toHaveLength(1)
})
