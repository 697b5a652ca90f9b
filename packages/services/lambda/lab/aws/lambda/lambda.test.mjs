import { PutFunctionConcurrencyCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAws } from '../fixtures/endpoints.mjs'

const SOURCE = `
import { existsSync, writeFileSync } from 'node:fs'
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const written = (path) => { try { writeFileSync(path, Buffer.alloc(1024)); return 'yes' } catch (error) { return error.code } }
let calls = 0
const actions = {
  count: () => ({ calls: ++calls, kept: existsSync('/tmp/kept') }),
  write: () => ({ tmp: written('/tmp/kept'), code: written(process.env.LAMBDA_TASK_ROOT + '/new'), shared: written('/dev/shm/new') }),
  env: () => process.env,
  context: (_, context) => ({ ...context, left: context.getRemainingTimeInMillis() }),
  fail: () => { throw Object.assign(new Error('no such thing'), { name: 'VID_ANY' }) },
  exit: () => process.exit(3),
  hang: () => wait(60_000),
  fill: async () => { const all = []; for (;;) { all.push(Buffer.alloc(2e7, 1)); await wait(20) } },
  disk: () => { const all = []; try { for (let n = 0; n < 100; n += 1) writeFileSync('/tmp/' + n, Buffer.alloc(1e7)); return 'no limit' } catch (error) { return error.code } },
  large: () => 'x'.repeat(7e6),
  rest: async () => { await wait(500); return 'rested' },
}
export const handler = (event, context) => actions[event.do](event, context)`

let aws
beforeAll(async () => {
  aws = await openAws({ concurrency: 2 })
})
afterAll(() => aws.close())

/** Whether a new environment may have the files of one before: without namespaces, all have one /tmp. */
const keptAtStart = async () => ((await aws.control('state')).isConfined ? false : expect.any(Boolean))

test('an environment is kept for the next call, with what it wrote to its /tmp', async () => {
  await aws.create('kept', SOURCE, { Timeout: 60 })
  expect(await aws.invoke('kept', { do: 'write' })).toMatchObject({ value: { tmp: 'yes' } })
  expect(await aws.invoke('kept', { do: 'count' })).toEqual({ value: { calls: 1, kept: true } })
  expect(await aws.invoke('kept', { do: 'count' })).toEqual({ value: { calls: 2, kept: true } })
})

test('code is read-only, and the variables are those of Lambda alone', async () => {
  await aws.create('closed', SOURCE, { Timeout: 60, Environment: { Variables: { OWN: 'value' } } })
  const { value } = await aws.invoke('closed', { do: 'write' })
  const { isConfined } = await aws.control('state')
  // Without namespaces, nothing keeps a process of the same user from writing.
  if (isConfined) expect(value).toEqual({ tmp: 'yes', code: 'EROFS', shared: 'EROFS' })
  const { value: env } = await aws.invoke('closed', { do: 'env' })
  expect(env).toMatchObject({ OWN: 'value', AWS_REGION: 'us-east-1', AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128' })
  expect(Object.keys(env)).not.toContain('HOME')
  const { value: context } = await aws.invoke('closed', { do: 'context' })
  expect(context).toMatchObject({ functionName: 'closed', memoryLimitInMB: '128' })
  expect(context.left).toBeGreaterThan(0)
  expect(context.left).toBeLessThanOrEqual(60_000)
})

test.each([
  ['throws', 'fail', { errorType: 'VID_ANY', errorMessage: 'no such thing' }],
  ['ends', 'exit', { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('exit status 3') }],
  [
    'takes too long',
    'hang',
    { errorType: 'Sandbox.Timedout', errorMessage: expect.stringContaining('timed out after 3.00 seconds') },
  ],
  [
    'needs too much memory',
    'fill',
    { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('signal: killed') },
  ],
  ['answers too much', 'large', { errorType: 'Function.ResponseSizeTooLarge' }],
])('a function that %s fails as on AWS, and the next call is answered', async (_, action, expected) => {
  const name = `fails-${action}`
  // Only what hangs is to be ended by the clock, however busy the machine is.
  await aws.create(name, SOURCE, { Timeout: action === 'hang' ? 3 : 60 })
  expect(await aws.invoke(name, { do: action })).toMatchObject({ error: 'Unhandled', value: expected })
  expect(await aws.invoke(name, { do: 'count' })).toEqual({ value: { calls: 1, kept: await keptAtStart() } })
})

test('a /tmp is as large as the function asks for', async () => {
  await aws.create('disk', SOURCE, { EphemeralStorage: { Size: 512 }, Timeout: 60, MemorySize: 512 })
  const { isConfined } = await aws.control('state')
  if (isConfined) expect(await aws.invoke('disk', { do: 'disk' })).toEqual({ value: 'ENOSPC' })
})

test('calls beyond the concurrency of the account, or of the function, are refused', async () => {
  await aws.create('busy', SOURCE, { Timeout: 60 })
  const many = () => Promise.allSettled([1, 2, 3].map(() => aws.invoke('busy', { do: 'rest' })))
  const refusedOf = (all) => all.filter(({ status }) => status === 'rejected').map(({ reason }) => reason)
  const [one, ...more] = refusedOf(await many())
  expect(one).toMatchObject({ name: 'TooManyRequestsException', Reason: 'ConcurrentInvocationLimitExceeded' })
  expect(more).toEqual([])
  await aws.lambda.send(new PutFunctionConcurrencyCommand({ FunctionName: 'busy', ReservedConcurrentExecutions: 1 }))
  const refused = refusedOf(await many())
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' })
})

test('another configuration ends the environments of the old one', async () => {
  await aws.create('changed', SOURCE, { Timeout: 60 })
  await aws.invoke('changed', { do: 'count' })
  await aws.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: 'changed', MemorySize: 256 }))
  expect(await aws.invoke('changed', { do: 'count' })).toEqual({ value: { calls: 1, kept: await keptAtStart() } })
})

test('a variable that is reserved, a size beyond the limits and another runtime are refused', async () => {
  const wrong = [
    { Environment: { Variables: { AWS_LAMBDA_RUNTIME_API: 'x' } } },
    { MemorySize: 20_000 },
    { Timeout: 901 },
    { Runtime: 'nodejs20.x' },
  ]
  for (const more of wrong)
    await expect(aws.create('wrong', SOURCE, more)).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
    })
})
