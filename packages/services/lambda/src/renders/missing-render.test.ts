import { expect, test } from 'vitest'
import { type AwsAnswer, refusal, startAws } from '../fixtures/aws-endpoint.ts'
import { startBucket } from '../fixtures/bucket.ts'
import { getRenderProgress, renderLogs, stopRender } from '../index.ts'

const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:films'
const place = { bucketName: 'videos', stateMachineArn, renderId: '7kq' }
const missing = refusal('ExecutionDoesNotExist', 'Execution Does Not Exist')

const start = async (list: AwsAnswer) => {
  await startBucket()
  return startAws({
    DescribeExecution: () => missing,
    StopExecution: () => missing,
    ListExecutions: list,
  })
}

const calls = {
  progress: () => getRenderProgress(place),
  stop: () => stopRender(place),
  logs: () => renderLogs({ ...place, logGroupName: 'logs' }).next(),
}

test.each(Object.keys(calls))('%s of a shortened id names the renders that begin with it', async (name) => {
  const names = ['7kq2f', 'other', '7kq9z', 'x7kq']
  await start(({ nextToken }) =>
    nextToken === undefined
      ? { executions: names.slice(0, 2).map((name) => ({ name: name })), nextToken: 'more' }
      : { executions: names.slice(2).map((name) => ({ name: name })) },
  )
  await expect(calls[name as keyof typeof calls]()).rejects.toMatchObject({
    code: 'VID_LAMBDA_RENDER_MISSING',
    message: 'The stack films has no render 7kq; similar ids: 7kq2f, 7kq9z.',
    hint: 'Give the full id.',
    fault: 'caller',
  })
})

test('a render that is not there is told where renders may not be listed, without other ids', async () => {
  await start(() => refusal('AccessDeniedException'))
  await expect(stopRender(place)).rejects.toMatchObject({
    message: 'The stack films has no render 7kq.',
    hint: expect.stringContaining('vid lambda list'),
  })
})

test('a state machine that is not there is told before a render of it', async () => {
  await start(() => refusal('StateMachineDoesNotExist', 'State Machine Does Not Exist'))
  await expect(stopRender(place)).rejects.toMatchObject({
    code: 'VID_AWS_NOT_FOUND',
    message: expect.stringContaining('the state machine arn:'),
  })
})
