import { expect, test } from 'vitest'
import {
  bucketProblems,
  executionArnOf,
  idProblems,
  readExecutionArn,
  regionOfArn,
  stateMachineProblems,
} from './places.ts'

const stateMachineArn = 'arn:aws-cn:states:cn-north-1:123456789012:stateMachine:vid-render'

test('the execution of a render is found from its state machine, and the other way round', () => {
  const executionArn = executionArnOf(stateMachineArn, 'film')
  expect(executionArn).toBe('arn:aws-cn:states:cn-north-1:123456789012:execution:vid-render:film')
  expect(readExecutionArn(executionArn)).toEqual({ stateMachineArn, renderId: 'film' })
  expect(readExecutionArn(stateMachineArn)).toBeUndefined()
  expect([stateMachineArn, executionArn, 'film'].map(regionOfArn)).toEqual(['cn-north-1', 'cn-north-1', undefined])
})

test.each(['videos', 'my.videos-1', 'a1b'])('%s is the name of a bucket', (name) => {
  expect(bucketProblems(name)).toEqual([])
})

test.each([undefined, '', 'ab', 'Videos', 's3://videos', 'videos/', '-videos', 3])('%s is none', (name) => {
  expect(bucketProblems(name)).toMatchObject([{ field: 'bucketName' }])
})

test.each(['', 'a b', 'a/b', 'é', 'x'.repeat(81), undefined])('%s is no id of a render', (id) => {
  expect(idProblems('renderId', id)).toMatchObject([{ field: 'renderId' }])
})

test('an ARN of something else is none of a state machine', () => {
  expect(stateMachineProblems(stateMachineArn)).toEqual([])
  for (const arn of [undefined, '', executionArnOf(stateMachineArn, 'film'), `${stateMachineArn} `])
    expect(stateMachineProblems(arn)).toMatchObject([{ field: 'stateMachineArn' }])
})
