import { expect, test } from 'vitest'
import { readCause } from './render-errors.ts'
import { lambdaFailure } from './render-failure.ts'

const ended = (cause: string) =>
  lambdaFailure({
    renderId: 'r1',
    status: 'FAILED',
    errors: [{ state: 'Plan', error: 'VID_FAR', ...readCause(cause) }],
  })

test('an error of the function keeps its code, message, hint, fault and plugin', () => {
  const data = { code: 'VID_FAR', message: 'no size', hint: 'give one', fault: 'caller', plugin: 'mine' }
  const cause = JSON.stringify({ errorType: 'VID_FAR', errorMessage: JSON.stringify(data), trace: [] })
  expect(ended(cause).toJSON()).toEqual(data)
})

test('any other cause is told as it is', () => {
  for (const cause of ['Task timed out', '{"message":7}', '[]'])
    expect(ended(cause)).toMatchObject({
      code: 'VID_LAMBDA_RENDER_FAILED',
      message: expect.stringContaining(`VID_FAR: ${cause}`),
    })
})

test('errors that only AWS has a name for are told in words', () => {
  const failed = (error: string, cause = '') =>
    lambdaFailure({ renderId: 'r1', status: 'FAILED', errors: [{ state: 'Chunk 3', error, cause }] }).message
  expect(failed('Runtime.ExitError', 'signal: killed')).toBe(
    'The render r1 failed: the environment of the call ended, out of memory or killed: signal: killed.',
  )
  expect(failed('States.Timeout')).toContain('longer than Lambda lets one run')
  expect(failed('Lambda.New')).toBe('The render r1 failed: Lambda.New.')
})

test('a render that was stopped, and one without a reason, have an error too', () => {
  const stopped = lambdaFailure({ renderId: 'r1', status: 'ABORTED', errors: [] })
  const over = lambdaFailure({ renderId: 'r1', status: 'TIMED_OUT', errors: [] })
  expect([stopped.code, over.code]).toEqual(['VID_LAMBDA_RENDER_STOPPED', 'VID_LAMBDA_RENDER_FAILED'])
  expect(over.message).toBe('The render r1 failed: it took longer than a workflow may.')
})
