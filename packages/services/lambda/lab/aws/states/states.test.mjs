import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAws } from '../fixtures/endpoints.mjs'

const SOURCE = `
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const fail = (name) => { throw Object.assign(new Error('failed'), { name }) }
export const handler = async (event) => {
  if (event.ms) await wait(event.ms)
  if (event.error) fail(event.error)
  if (event.bytes) return 'x'.repeat(event.bytes)
  return event
}`

let aws
let arn
let count = 0
beforeAll(async () => {
  aws = await openAws({ retryScale: 0.01 })
  arn = await aws.create('work', SOURCE, { Timeout: 30 })
})
afterAll(() => aws.close())

const create = async (States, StartAt = Object.keys(States)[0]) => {
  count += 1
  const definition = JSON.stringify({ StartAt, States })
  const roleArn = 'arn:aws:iam::123456789012:role/any'
  const { stateMachineArn } = await aws.sfn.send(
    new CreateStateMachineCommand({ name: `machine-${count}`, definition, roleArn }),
  )
  return stateMachineArn
}
const start = (stateMachineArn, input, name = 'one') =>
  aws.sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }))
const describe = ({ executionArn }) => aws.sfn.send(new DescribeExecutionCommand({ executionArn }))
const ended = async (execution) => {
  for (;;) {
    const described = await describe(execution)
    if (described.status !== 'RUNNING') return described
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const events = async ({ executionArn }) =>
  (await aws.sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }))).events
const types = async (execution) => (await events(execution)).map(({ type }) => type)
const task = (more = {}) => ({ Type: 'Task', Resource: arn, End: true, ...more })

test('a call of the function is an execution with the events of Step Functions', async () => {
  const machine = await create({ Work: task() })
  const done = await ended(await start(machine, { word: 'hello' }))
  expect(done).toMatchObject({ status: 'SUCCEEDED', output: '{"word":"hello"}' })
  expect(await types(done)).toEqual([
    'ExecutionStarted',
    'TaskStateEntered',
    'LambdaFunctionScheduled',
    'LambdaFunctionStarted',
    'LambdaFunctionSucceeded',
    'TaskStateExited',
    'ExecutionSucceeded',
  ])
  const all = await events(done)
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(all.map(({ previousEventId }) => previousEventId)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('an error is retried as the first matching rule says, then caught with the answer of the function as its cause', async () => {
  const Retry = [
    { ErrorEquals: ['Final'], MaxAttempts: 0 },
    { ErrorEquals: ['States.ALL'], MaxAttempts: 2 },
  ]
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }]
  const machine = await create({ Work: task({ Retry, Catch }), Caught: { Type: 'Pass', End: true } })
  const failed = async (error, name) => {
    const done = await ended(await start(machine, { error }, name))
    const { Error: code, Cause } = JSON.parse(done.output)
    expect([code, JSON.parse(Cause).errorMessage]).toEqual([error, 'failed'])
    return (await types(done)).filter((type) => type === 'LambdaFunctionFailed').length
  }
  expect(await failed('Final', 'final')).toBe(1)
  expect(await failed('Other', 'other')).toBe(3)
})

test('a task that takes longer than its TimeoutSeconds fails with States.Timeout', async () => {
  const machine = await create({ Work: task({ TimeoutSeconds: 1 }) })
  const done = await ended(await start(machine, { ms: 3000 }))
  expect(done).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
  expect(await types(done)).toContain('LambdaFunctionTimedOut')
})

test('a state that gives more than 256 KiB fails, and States.ALL does not catch it', async () => {
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }]
  const machine = await create({ Work: task({ Catch }), Caught: { Type: 'Pass', End: true } })
  const done = await ended(await start(machine, { bytes: 262_143 }))
  expect(done).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
  expect(await ended(await start(machine, { bytes: 262_142 }, 'two'))).toMatchObject({ status: 'SUCCEEDED' })
})

const map = (Mode, more = {}) => ({
  Type: 'Map',
  ItemsPath: '$.items',
  ItemSelector: {
    'item.$': '$$.Map.Item.Value',
    'index.$': '$$.Map.Item.Index',
    'error.$': '$.error',
    'name.$': '$$.Execution.Name',
  },
  ItemProcessor: {
    ProcessorConfig: { Mode, ...(Mode === 'DISTRIBUTED' && { ExecutionType: 'STANDARD' }) },
    StartAt: 'Item',
    States: { Item: task(more) },
  },
  End: true,
})

test.each(['INLINE', 'DISTRIBUTED'])('a Map that is %s gives the outputs in the order of its items', async (mode) => {
  const machine = await create({ All: map(mode) })
  const done = await ended(await start(machine, { items: ['a', 'b', 'c'], error: null }))
  expect(JSON.parse(done.output)).toEqual(
    ['a', 'b', 'c'].map((item, index) => ({ item, index, error: null, name: 'one' })),
  )
})

test('an iteration that fails ends an inline Map with its error, and a distributed one with that of the run', async () => {
  const inline = await ended(await start(await create({ All: map('INLINE') }), { items: [1, 2], error: 'Broken' }))
  expect(inline).toMatchObject({ status: 'FAILED', error: 'Broken' })
  expect(await types(inline)).toContain('MapIterationFailed')
  const wide = await ended(await start(await create({ All: map('DISTRIBUTED') }), { items: [1, 2], error: 'Broken' }))
  expect(wide).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
  const { executionArn } = wide
  const { mapRuns } = await aws.sfn.send(new ListMapRunsCommand({ executionArn }))
  const { mapRunArn } = mapRuns[0]
  const run = await aws.sfn.send(new DescribeMapRunCommand({ mapRunArn }))
  expect(run).toMatchObject({ status: 'FAILED', itemCounts: { total: 2 } })
  const { executions } = await aws.sfn.send(new ListExecutionsCommand({ mapRunArn, statusFilter: 'FAILED' }))
  expect(await describe(executions[0])).toMatchObject({ error: 'Broken' })
})

test('an execution is named once; the same name and input while it runs are the same execution', async () => {
  const machine = await create({ Work: task() })
  const first = await start(machine, { ms: 400 })
  expect(await start(machine, { ms: 400 })).toMatchObject({ executionArn: first.executionArn })
  const other = { name: 'ExecutionAlreadyExists' }
  await expect(start(machine, { ms: 401 })).rejects.toMatchObject(other)
  await ended(first)
  await expect(start(machine, { ms: 400 })).rejects.toMatchObject(other)
})

test('names and inputs beyond the rules are refused', async () => {
  const machine = await create({ Work: task() })
  for (const name of ['a b', 'a/b', 'x'.repeat(81), 'a:b', 'a$'])
    await expect(start(machine, {}, name)).rejects.toMatchObject({
      name: expect.stringMatching(/InvalidName|ValidationException/),
    })
  const input = { text: 'é'.repeat(131_072) }
  await expect(start(machine, input)).rejects.toMatchObject({ name: 'ValidationException' })
  await expect(aws.sfn.send(new StartExecutionCommand({ stateMachineArn: machine, input: '{' }))).rejects.toMatchObject(
    { name: 'InvalidExecutionInput' },
  )
})

test('a stopped execution is ABORTED with the given error, and calls nothing more', async () => {
  const Retry = [{ ErrorEquals: ['States.ALL'], MaxAttempts: 99, IntervalSeconds: 1 }]
  const machine = await create({ Work: task({ Retry }) })
  const { executionArn } = await start(machine, { error: 'Broken', ms: 50 })
  await aws.sfn.send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'by hand' }))
  expect(await describe({ executionArn })).toMatchObject({
    status: 'ABORTED',
    error: 'Enough',
    cause: 'by hand',
  })
  expect((await types({ executionArn })).at(-1)).toBe('ExecutionAborted')
})

test('a history of 25,000 events ends its execution', async () => {
  const States = {
    Turn: { Type: 'Pass', Next: 'Again' },
    Again: {
      Type: 'Choice',
      Choices: [{ Variable: '$.go', BooleanEquals: true, Next: 'Turn' }],
      Default: 'End',
    },
    End: { Type: 'Succeed' },
  }
  const done = await ended(await start(await create(States), { go: true }))
  expect(done).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: expect.stringContaining('25000'),
  })
})

test('a definition that this endpoint does not run as AWS does is refused', async () => {
  const Branches = [{ StartAt: 'Work', States: { Work: task() } }]
  await expect(create({ Side: { Type: 'Parallel', Branches, End: true } })).rejects.toMatchObject({
    name: 'InvalidDefinition',
  })
})
