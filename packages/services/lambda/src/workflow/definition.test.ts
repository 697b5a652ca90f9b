// @ts-expect-error The library has no types.
import untyped from 'asl-validator'
import { expect, test } from 'vitest'
import { FUNCTION_ARN, workflowDefinition } from './definition.ts'
import { finalErrors } from './final-errors.ts'
import { callRetriers, retriers } from './retries.ts'
import type { MapState, Retrier, TaskState } from './states.ts'

const aslValidator = untyped as (
  definition: unknown,
  options: { readonly checkPaths: boolean; readonly checkArn: boolean },
) => { readonly isValid: boolean; readonly errorsText: () => string }
const strictly = { checkPaths: true, checkArn: true }

const arn = 'arn:aws:lambda:eu-central-1:123456789012:function:render'
const definition = workflowDefinition()
const { States } = definition
const maps = Object.values(States).filter((state): state is MapState => state.Type === 'Map')
const tasks = [...Object.values(States), ...maps.flatMap((map) => Object.values(map.ItemProcessor.States))].filter(
  (state): state is TaskState => state.Type === 'Task',
)

test('the definition is valid once the ARN of the function stands in it', () => {
  const text = JSON.stringify(definition).replaceAll(FUNCTION_ARN, arn)
  const { isValid, errorsText } = aslValidator(JSON.parse(text), strictly)
  expect(errorsText()).toBe('')
  expect(isValid).toBe(true)
})

test('the check finds a definition that is not valid', () => {
  const { isValid } = aslValidator(structuredClone({ ...definition, StartAt: 'Nowhere' }), strictly)
  expect(isValid).toBe(false)
})

test('each state has a name of its own, also inside the maps', () => {
  const names = [States, ...maps.map((map) => map.ItemProcessor.States)].flatMap(Object.keys)
  expect(new Set(names).size).toBe(names.length)
})

test('each call ends by itself a little after Lambda would have ended it', () => {
  expect(tasks).toHaveLength(5)
  for (const { TimeoutSeconds, Resource } of tasks) {
    expect(Resource).toBe(FUNCTION_ARN)
    expect(TimeoutSeconds).toBeGreaterThan(900)
    expect(TimeoutSeconds).toBeLessThanOrEqual(1000)
  }
})

test('the first rule of a call that can fail by its input is that final errors are not tried again', () => {
  for (const task of tasks.filter((task) => task !== States.Abandon))
    expect(task.Retry[0]).toEqual({ ErrorEquals: finalErrors, MaxAttempts: 0 })
})

test('no error stands in two rules, and the rule for all others is the last one, alone', () => {
  for (const { Retry } of tasks) {
    const names = Retry.flatMap(({ ErrorEquals }) => ErrorEquals)
    expect(new Set(names).size).toBe(names.length)
    expect(Retry.at(-1)?.ErrorEquals).toEqual(['States.ALL'])
    expect(names.indexOf('States.ALL')).toBe(names.length - 1)
  }
})

/** Seconds until the last attempt, when each wait is as long as jitter makes it on average. */
const retrySeconds = ({ IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = 1e9, MaxAttempts }: Retrier) =>
  Array.from({ length: MaxAttempts }, (_, index) =>
    Math.min(IntervalSeconds * BackoffRate ** index, MaxDelaySeconds),
  ).reduce((sum, delay) => sum + delay / 2, 0)

test('a claimed segment is waited for longer than two calls take, and throttling for hours', () => {
  expect(retrySeconds(retriers.claimed)).toBeGreaterThan(2 * 900)
  expect(retrySeconds(retriers.throttled)).toBeGreaterThan(4 * 3600)
})

test('waits have jitter, so that calls that failed together do not come again together', () => {
  for (const retrier of Object.values(retriers)) expect(retrier.JitterStrategy).toBe('FULL')
})

test('an inline Map in which everything is retried to the end fits into the history of an execution', () => {
  const attempts = callRetriers.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 1)
  const eventsOfAttempt = 3
  const others = 200
  expect(40 * attempts * eventsOfAttempt + others).toBeLessThan(25_000)
})

test('what fails a render goes to Abandon and is the error of the execution, also when Abandon fails', () => {
  for (const state of [States.Plan, ...maps, States.Assemble] as readonly (TaskState | MapState)[])
    expect(state.Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Abandon' }])
  const abandon = States.Abandon as TaskState
  expect(abandon.ResultPath).toBeNull()
  expect(abandon.Catch).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: '$.abandonment', Next: 'Failed' }])
  expect(States.Failed).toEqual({ Type: 'Fail', ErrorPath: '$.Error', CausePath: '$.Cause' })
})

test('both maps give each chunk the same event', () => {
  const [one, other] = maps
  expect(one?.ItemSelector).toEqual(other?.ItemSelector)
  expect(Object.keys(one?.ItemSelector ?? {}).map((key) => key.replace('.$', ''))).toEqual([
    'action',
    'renderId',
    'request',
    'plan',
    'chunks',
    'chunk',
  ])
})
