import { expect, test } from 'vitest'
import { type CallEnd, endKey, type FunctionCall, startKey } from '../contract/call-records.ts'
import { type AwsAnswer, startAws } from '../fixtures/aws-endpoint.ts'
import { startBucket } from '../fixtures/bucket.ts'
import { getRenderProgress, listRenders } from '../index.ts'

const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:vid-render'
const executionArn = 'arn:aws:states:eu-central-1:123456789012:execution:vid-render:film'
const startDate = Math.floor(Date.now() / 1000) - 60
const input = JSON.stringify({ chunks: { chunkSize: 100, maxParallelChunks: 16 } })
const place = { renderId: 'film', stateMachineArn, bucketName: 'videos' }

const described =
  (over: object): AwsAnswer =>
  () => ({
    executionArn,
    stateMachineArn,
    name: 'film',
    status: 'RUNNING',
    startDate,
    input,
    ...over,
  })

const result = {
  renderId: 'film',
  outputKey: 'outputs/film.mp4',
  bytes: 5,
  sha256: 'c'.repeat(64),
  frames: 250,
  durationMs: 8333,
  width: 64,
  height: 36,
  warnings: 0,
}

const start = async (answers: Readonly<Record<string, AwsAnswer>>) => {
  const { objects } = await startBucket()
  const aws = await startAws(answers)
  const put = (key: string) => objects.set(key, { body: Buffer.from(''), type: undefined, writtenMs: Date.now() })
  return {
    aws,
    /** A call has started, and has ended unless it runs or was killed. */
    call(
      action: FunctionCall['action'],
      requestId: string,
      { chunk = 0, ...end }: Partial<CallEnd> & { chunk?: number } = {},
    ) {
      const call = { renderId: 'film', action, chunk, requestId }
      const full = { outcome: 'done', billedMs: 1000, frames: 0, reusedFrames: 0, isCold: false, ...end }
      put(startKey(call))
      if (Object.keys(end).length > 0) put(endKey(call, full))
    },
  }
}

test('the chunks are those of the plan, and a format that has but one is named where more were asked for', async () => {
  const input = (format: string) =>
    JSON.stringify({ chunks: { chunkSize: 100, maxParallelChunks: 16 }, request: { format } })
  let answer = described({ input: input('webp') })
  const { call } = await start({ DescribeExecution: (input) => answer(input) })
  expect(await getRenderProgress(place)).toMatchObject({ totalChunks: null, undividedFormat: null })
  call('plan', 'p', { frames: 250, chunks: 1 })
  expect(await getRenderProgress(place)).toMatchObject({ totalChunks: 1, undividedFormat: 'webp' })
  answer = described({ input: JSON.stringify({ chunks: { maxParallelChunks: 1 }, request: {} }) })
  expect(await getRenderProgress(place)).toMatchObject({ totalChunks: 1, undividedFormat: null })
})

test('the progress never falls, from the start to the result', async () => {
  let answer = described({})
  const { call } = await start({ DescribeExecution: (input) => answer(input) })
  const progresses: number[] = []
  const look = async () => {
    const progress = await getRenderProgress(place)
    progresses.push(progress.overallProgress)
    return progress
  }
  expect(await look()).toMatchObject({
    totalFrames: null,
    lambdasInvoked: 0,
    endedAt: null,
    outputFile: null,
  })
  call('plan', 'p')
  await look()
  call('plan', 'p', { frames: 250, chunks: 3 })
  expect(await look()).toMatchObject({ totalFrames: 250, totalChunks: 3, chunksDone: 0, framesRendered: 0 })
  call('segment', 'a', { chunk: 0, frames: 84, reusedFrames: 84 })
  expect(await look()).toMatchObject({ framesRendered: 84, framesReused: 84, chunksDone: 1 })
  call('segment', 'b', { chunk: 1, outcome: 'VID_S3_FAILED' })
  expect(await look()).toMatchObject({
    framesRendered: 84,
    errors: [{ state: 'Chunk 1', error: 'VID_S3_FAILED', cause: '' }],
  })
  call('segment', 'c', { chunk: 1, frames: 83 })
  // The answer of the first call was lost, and the chunk was asked for again.
  call('segment', 'd', { chunk: 1, frames: 83 })
  await look()
  call('segment', 'e', { chunk: 2, frames: 83 })
  call('assemble', 'f')
  expect(await look()).toMatchObject({ framesRendered: 250, chunksDone: 3, lambdasInvoked: 7 })
  expect(progresses.at(-1)).toBeLessThan(1)
  answer = described({ status: 'SUCCEEDED', output: JSON.stringify(result), stopDate: startDate + 50 })
  expect(await look()).toMatchObject({
    status: 'SUCCEEDED',
    overallProgress: 1,
    result,
    errors: [{ state: 'Chunk 1' }],
    outputFile: 's3://videos/outputs/film.mp4',
    endedAt: new Date((startDate + 50) * 1000).toISOString(),
  })
  expect(progresses).toEqual([...progresses].sort((a, b) => a - b))
})

test('a call that waits for a segment of another render is no error', async () => {
  const { call } = await start({ DescribeExecution: described({}) })
  call('segment', 'a', { outcome: 'VID_LAMBDA_SEGMENT_CLAIMED' })
  expect(await getRenderProgress(place)).toMatchObject({ errors: [], lambdasInvoked: 1 })
})

test('the cost is that of all calls; none is told when their records have expired or the region has no prices', async () => {
  let answer = described({})
  const { call } = await start({ DescribeExecution: (input) => answer(input) })
  call('plan', 'p', { frames: 250, billedMs: 4000 })
  call('segment', 'a', { outcome: 'VID_S3_FAILED', billedMs: 3000 })
  const { cost } = await getRenderProgress(place)
  expect(cost).toMatchObject({ billedSeconds: 7, failedSeconds: 3, calls: 2 })
  expect((await getRenderProgress({ ...place, memoryMb: 1024 })).cost?.usd).toBeLessThan(cost?.usd ?? 0)
  expect((await getRenderProgress({ ...place, region: 'mars-north-1' })).cost).toBeNull()
  answer = described({ status: 'SUCCEEDED', output: JSON.stringify(result), stopDate: startDate + 50 })
  expect((await getRenderProgress({ ...place, renderId: 'older' })).cost).toBeNull()
})

const lambdaCause = JSON.stringify({
  errorType: 'VID_ROOT_MISSING',
  errorMessage: JSON.stringify({ code: 'VID_ROOT_MISSING', message: 'there is no root', hint: 'add one' }),
  trace: ['VID_ROOT_MISSING', 'at /var/task/secret.mjs:1:1'],
})

test('a failed render names the state, the code, the words and what to do, and no stack', async () => {
  const failed = { error: 'VID_ROOT_MISSING', cause: lambdaCause }
  const { aws } = await start({
    DescribeExecution: described({ status: 'FAILED', stopDate: startDate + 9, ...failed }),
    GetExecutionHistory: () => ({
      events: [
        {
          id: 9,
          previousEventId: 8,
          type: 'ExecutionFailed',
          timestamp: startDate,
          executionFailedEventDetails: failed,
        },
        {
          id: 7,
          previousEventId: 6,
          type: 'LambdaFunctionFailed',
          timestamp: startDate,
          lambdaFunctionFailedEventDetails: failed,
        },
        { id: 6, previousEventId: 5, type: 'LambdaFunctionStarted', timestamp: startDate },
        {
          id: 5,
          previousEventId: 3,
          type: 'TaskStateEntered',
          timestamp: startDate,
          stateEnteredEventDetails: { name: 'Chunk' },
        },
        {
          id: 3,
          previousEventId: 2,
          type: 'MapIterationStarted',
          timestamp: startDate,
          mapIterationStartedEventDetails: { name: 'Chunks', index: 4 },
        },
      ],
    }),
  })
  const { errors } = await getRenderProgress(place)
  expect(errors).toEqual([{ state: 'Chunk 4', error: 'VID_ROOT_MISSING', cause: 'there is no root', hint: 'add one' }])
  expect(aws.of('GetExecutionHistory')[0]?.input).toMatchObject({ executionArn, reverseOrder: true })
})

test('the error of a chunk that ran as an execution of its own is found', async () => {
  const child = 'arn:aws:states:eu-central-1:123456789012:execution:vid-render/chunks:1234'
  const mapRunArn = 'arn:aws:states:eu-central-1:123456789012:mapRun:vid-render/chunks:1'
  const threshold = { error: 'States.ExceedToleratedFailureThreshold', cause: 'The threshold was exceeded' }
  const parent = described({ status: 'FAILED', stopDate: startDate + 9, ...threshold })
  await start({
    DescribeExecution: (input) =>
      input.executionArn === child
        ? {
            executionArn: child,
            stateMachineArn,
            status: 'FAILED',
            startDate,
            input: '{"chunk":77}',
            error: 'VID_ROOT_MISSING',
            cause: lambdaCause,
          }
        : parent(input),
    GetExecutionHistory: () => ({ events: [] }),
    ListMapRuns: () => ({ mapRuns: [{ executionArn, mapRunArn, stateMachineArn, startDate }] }),
    ListExecutions: (input) =>
      input.mapRunArn === mapRunArn && input.statusFilter === 'FAILED'
        ? {
            executions: [{ executionArn: child, stateMachineArn, name: '1234', status: 'FAILED', startDate }],
          }
        : { executions: [] },
  })
  expect((await getRenderProgress(place)).errors).toEqual([
    { state: 'Chunk 77', error: 'VID_ROOT_MISSING', cause: 'there is no root', hint: 'add one' },
  ])
})

test('a stopped render tells its reason', async () => {
  await start({
    DescribeExecution: described({
      status: 'ABORTED',
      error: 'VID_CANCELLED',
      cause: 'not needed',
      stopDate: startDate + 1,
    }),
    GetExecutionHistory: () => ({ events: [] }),
  })
  expect(await getRenderProgress({ executionArn, bucketName: 'videos' })).toMatchObject({
    renderId: 'film',
    status: 'ABORTED',
    errors: [{ state: '', error: 'VID_CANCELLED', cause: 'not needed' }],
  })
})

test.each([
  [{ renderId: 'a b', stateMachineArn }, 'renderId'],
  [{ renderId: 'film' }, 'stateMachineArn'],
  [{ executionArn: stateMachineArn }, 'executionArn'],
])('%j is no render', async (which, field) => {
  await expect(getRenderProgress({ ...which, bucketName: 'videos' })).rejects.toMatchObject({ field })
})

test('renders are listed over all pages', async () => {
  const execution = (name: string) => ({ executionArn, stateMachineArn, name, status: 'RUNNING', startDate })
  await start({
    ListExecutions: ({ nextToken }) =>
      nextToken === 'second' ? { executions: [execution('b')] } : { executions: [execution('a')], nextToken: 'second' },
  })
  const names: string[] = []
  for await (const { renderId } of listRenders({ stateMachineArn })) names.push(renderId)
  expect(names).toEqual(['a', 'b'])
})
