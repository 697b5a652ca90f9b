import { expect, test } from 'vitest'
import { findBucket, findPlace } from './find-place.ts'
import { startFormation } from './fixtures/formation.ts'

const machine = (name: string, region = 'eu-central-1') => `arn:aws:states:${region}:123456789012:stateMachine:${name}`
const env = { VID_BUCKET: 'of-environment', VID_SFN_ARN: machine('of-environment') }

test('what a caller gives comes before the environment, and AWS is not asked for what is known', async () => {
  expect(await findPlace({}, { env })).toEqual({
    bucketName: 'of-environment',
    stateMachineArn: machine('of-environment'),
    region: 'eu-central-1',
  })
  const ids = { bucketName: 'mine', stateMachineArn: machine('mine', 'us-east-1') }
  expect(await findPlace(ids, { env })).toEqual({ ...ids, region: 'us-east-1' })
  expect(await findPlace({ ...ids, region: 'us-west-2' }, { env })).toMatchObject({ region: 'us-west-2' })
  expect(await findBucket({}, { env })).toMatchObject({ bucketName: 'of-environment' })
})

test('the ARN of an execution names its state machine', async () => {
  const render = 'arn:aws:states:us-east-2:123456789012:execution:other:r1'
  expect(await findPlace({ render }, { env })).toMatchObject({
    stateMachineArn: machine('other', 'us-east-2'),
    region: 'us-east-2',
  })
})

test('a name of a stack is not overruled by the environment', async () => {
  const stop = new AbortController()
  stop.abort(new Error('AWS is asked'))
  const asking = { env, signal: stop.signal }
  await expect(findPlace({ stackName: 'other', region: 'us-east-1' }, asking)).rejects.toThrow('AWS is asked')
  await expect(findPlace({ region: 'us-east-1' }, { ...asking, env: {} })).rejects.toThrow('AWS is asked')
})

test('a stack that is missing is told with its region and where that comes from', async () => {
  await startFormation()
  const stateMachineArn = machine('mine', 'us-east-1')
  await expect(findPlace({ stateMachineArn }, { env: {} })).rejects.toMatchObject({
    code: 'VID_LAMBDA_STACK_MISSING',
    message: 'There is no stack vid-render in the region us-east-1 (of the state machine).',
  })
  await expect(findPlace({ region: 'us-west-2' }, { env: {} })).rejects.toThrow('us-west-2 (as given)')
  await expect(findPlace({}, { env: {} })).rejects.toThrow('eu-central-1 (of AWS_REGION)')
})
