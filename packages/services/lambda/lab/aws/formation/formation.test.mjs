import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation'
import { InvokeCommand } from '@aws-sdk/client-lambda'
import { CreateBucketCommand, DeleteObjectCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { StartExecutionCommand } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAws, zipOf } from '../fixtures/endpoints.mjs'

const SOURCE = `
const ask = (method, key) => fetch(process.env.AWS_ENDPOINT_URL_S3 + '/' + process.env.BUCKET + '/' + key, { method })
export const handler = async ({ key }) => ({ answer: await (await ask('GET', key)).text() })`

let aws
beforeAll(async () => {
  aws = await openAws({ retryScale: 0.01 })
})
afterAll(() => aws.close())

const send = (command) => aws.formation.send(command)
const Capabilities = ['CAPABILITY_IAM']
const describe = async (StackName) => (await send(new DescribeStacksCommand({ StackName }))).Stacks[0]
const settled = async (StackName) => {
  for (;;) {
    const stack = await describe(StackName)
    if (!stack.StackStatus.endsWith('_IN_PROGRESS')) return stack
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const create = async (StackName, template, more = {}) => {
  await send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(template), Capabilities, ...more }))
  return settled(StackName)
}
const reasons = async (StackName) => {
  const { StackEvents } = await send(new DescribeStackEventsCommand({ StackName }))
  return StackEvents.map((event) =>
    `${event.LogicalResourceId} ${event.ResourceStatus} ${event.ResourceStatusReason ?? ''}`.trim(),
  )
}
const bucket = { Type: 'AWS::S3::Bucket', Properties: {} }
const policy = (...Statement) => [{ PolicyName: 'own', PolicyDocument: { Version: '2012-10-17', Statement } }]
const role = (...statements) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] },
    Policies: policy(...statements),
  },
})
const machine = (RoleArn) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    RoleArn,
    Definition: { StartAt: 'Work', States: { Work: { Type: 'Task', Resource: `\${Function}`, End: true } } },
    DefinitionSubstitutions: { Function: { 'Fn::GetAtt': ['Worker', 'Arn'] } },
  },
})
/** A stack of a function that reads `open/`, and a state machine that calls it. */
const whole = {
  Parameters: {
    Key: { Type: 'String' },
    Code: { Type: 'String' },
    Memory: { Type: 'Number', Default: 256, MinValue: 128 },
  },
  Conditions: { IsLarge: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Memory' }, '256'] }] } },
  Resources: {
    Machine: machine({ 'Fn::GetAtt': ['Caller', 'Arn'] }),
    Caller: role({
      Effect: 'Allow',
      Action: 'lambda:InvokeFunction',
      Resource: { 'Fn::GetAtt': ['Worker', 'Arn'] },
    }),
    Reader: role({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: { 'Fn::Sub': `\${Files.Arn}/open/*` },
    }),
    Files: bucket,
    Worker: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: { Ref: 'Code' }, S3Key: { Ref: 'Key' } },
        Runtime: 'nodejs22.x',
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Reader', 'Arn'] },
        MemorySize: { Ref: 'Memory' },
        Description: { 'Fn::If': ['IsLarge', 'large', { Ref: 'AWS::NoValue' }] },
        Environment: { Variables: { BUCKET: { Ref: 'Files' } } },
      },
    },
  },
  Outputs: {
    Machine: { Value: { Ref: 'Machine' } },
    Worker: { Value: { Ref: 'Worker' } },
    Files: { Value: { Ref: 'Files' } },
  },
}
const withCode = async (values) => {
  await aws.s3.send(new CreateBucketCommand({ Bucket: 'code' })).catch(() => {})
  await aws.s3.send(new PutObjectCommand({ Bucket: 'code', Key: 'one.zip', Body: await zipOf(SOURCE) }))
  return Object.entries({ Code: 'code', Key: 'one.zip', ...values }).map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  }))
}
const outputsOf = ({ Outputs }) =>
  Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))

const createWhole = async (StackName) => create(StackName, whole, { Parameters: await withCode() })

test('a stack makes a bucket, a function and a state machine that work together, within what their roles allow', async () => {
  const stack = await createWhole('whole')
  expect(stack.StackStatus).toBe('CREATE_COMPLETE')
  const { Machine, Worker } = outputsOf(stack)
  const read = async (key) => {
    const { Payload } = await aws.lambda.send(
      new InvokeCommand({ FunctionName: Worker, Payload: JSON.stringify({ key }) }),
    )
    return JSON.parse(Buffer.from(Payload).toString()).answer
  }
  // The requests of this function are not signed: S3 itself refuses those that the role lets through.
  expect(await read('closed/one')).toMatch(/s3:GetObject on .*closed\/one is not allowed/)
  expect(await read('open/one')).not.toContain('is not allowed')
  await aws.sfn.send(new StartExecutionCommand({ stateMachineArn: Machine, input: '{"key":"open/one"}' }))
  const { StackResources } = await send(new DescribeStackResourcesCommand({ StackName: 'whole' }))
  expect(StackResources.map(({ LogicalResourceId }) => LogicalResourceId).sort()).toEqual(
    Object.keys(whole.Resources).sort(),
  )
})

test('an update changes what differs alone, and one without a difference is refused', async () => {
  await createWhole('updated')
  const Parameters = await withCode({ Memory: '512' })
  const update = () =>
    send(
      new UpdateStackCommand({
        StackName: 'updated',
        TemplateBody: JSON.stringify(whole),
        Parameters,
        Capabilities,
      }),
    )
  await update()
  expect((await settled('updated')).StackStatus).toBe('UPDATE_COMPLETE')
  const events = await reasons('updated')
  expect(events.filter((line) => line.includes('UPDATE_COMPLETE') && !line.startsWith('updated'))).toEqual([
    'Worker UPDATE_COMPLETE',
  ])
  await expect(update()).rejects.toMatchObject({
    name: 'ValidationError',
    message: 'No updates are to be performed.',
  })
})

test('a stack with an object in its bucket is not deleted until the bucket is empty', async () => {
  const Bucket = outputsOf(await createWhole('deleted')).Files
  const object = { Bucket, Key: 'open/one' }
  await aws.s3.send(new PutObjectCommand({ ...object, Body: 'text' }))
  await send(new DeleteStackCommand({ StackName: 'deleted' }))
  const { StackId, StackStatus } = await settled('deleted')
  expect(StackStatus).toBe('DELETE_FAILED')
  expect((await reasons('deleted')).join('\n')).toContain('The bucket you tried to delete is not empty')
  await aws.s3.send(new DeleteObjectCommand(object))
  await send(new DeleteStackCommand({ StackName: 'deleted' }))
  expect((await settled(StackId)).StackStatus).toBe('DELETE_COMPLETE')
  await expect(describe('deleted')).rejects.toMatchObject({ message: 'Stack with id deleted does not exist' })
  await expect(aws.s3.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' })
})

test('a resource that fails takes back those before it', async () => {
  const stack = await create('broken', whole, { Parameters: await withCode({ Key: 'missing.zip' }) })
  expect(stack.StackStatus).toBe('ROLLBACK_COMPLETE')
  expect((await reasons('broken')).find((line) => line.startsWith('Worker CREATE_FAILED'))).toContain('NoSuchKey')
  const { StackResources = [] } = await send(new DescribeStackResourcesCommand({ StackName: 'broken' }))
  expect(StackResources).toEqual([])
  const again = send(new UpdateStackCommand({ StackName: 'broken', TemplateBody: JSON.stringify(whole), Capabilities }))
  await expect(again).rejects.toMatchObject({
    message: expect.stringContaining('ROLLBACK_COMPLETE state and can not be updated'),
  })
})

test('a bucket that is to be kept outlives its stack', async () => {
  const files = { ...bucket, DeletionPolicy: 'RetainExceptOnCreate' }
  const stack = await create('keeper', {
    Resources: { Files: files },
    Outputs: { Files: { Value: { Ref: 'Files' } } },
  })
  await send(new DeleteStackCommand({ StackName: 'keeper' }))
  await settled(stack.StackId)
  await aws.s3.send(new HeadBucketCommand({ Bucket: outputsOf(stack).Files }))
})

test('a template of more than 51,200 bytes is taken from a bucket', async () => {
  const template = {
    Description: 'long',
    Metadata: { text: 'x'.repeat(60_000) },
    Resources: { Files: bucket },
  }
  await expect(create('long', template)).rejects.toMatchObject({ name: 'ValidationError' })
  await aws.s3.send(new CreateBucketCommand({ Bucket: 'templates' }))
  await aws.s3.send(new PutObjectCommand({ Bucket: 'templates', Key: 'a/b.json', Body: JSON.stringify(template) }))
  const TemplateURL = 'https://templates.s3.us-east-1.amazonaws.com/a/b.json'
  expect(await create('long', template, { TemplateBody: undefined, TemplateURL })).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
  })
  const { TemplateBody } = await send(new GetTemplateCommand({ StackName: 'long' }))
  expect(JSON.parse(TemplateBody)).toEqual(template)
})

const wrong = {
  'no capability': [{ Resources: { Caller: role() } }, { Capabilities: [] }, /CAPABILITY_IAM/],
  'a type that is not here': [
    { Resources: { Topic: { Type: 'AWS::SNS::Topic' } } },
    {},
    /Unrecognized resource types: \[AWS::SNS::Topic\]/,
  ],
  'a missing parameter': [whole, {}, /Parameters: \[Key, Code\] must have values/],
  'a parameter that is not in it': [
    { Resources: { Files: bucket } },
    { Parameters: [{ ParameterKey: 'Odd', ParameterValue: '1' }] },
    /\[Odd\] do not exist/,
  ],
  'a circle': [
    { Resources: { A: { ...bucket, DependsOn: 'B' }, B: { ...bucket, DependsOn: 'A' } } },
    {},
    /Circular dependency/,
  ],
  'a null': [
    { Resources: { Files: { ...bucket, Properties: { Tags: [{ Key: 'a', Value: null }] } } } },
    {},
    /\[\/Resources\/Files\/Properties\/Tags\/0\/Value\] 'null' values are not allowed in templates/,
  ],
  'a name with a dash': [{ Resources: { 'my-files': bucket } }, {}, /my-files is non alphanumeric/],
  'a reference to nothing': [
    { Resources: { Files: { ...bucket, Properties: { BucketName: { Ref: 'Nowhere' } } } } },
    {},
    /Unresolved resource dependencies \[Nowhere\] in the Resources block/,
  ],
  'a long description': [
    { Description: 'x'.repeat(1025), Resources: { Files: bucket } },
    {},
    /Description may not exceed/,
  ],
  'more than 500 resources': [
    { Resources: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`Files${index}`, bucket])) },
    {},
    /greater than maximum allowed, 500/,
  ],
  'a policy that an update does not know': [
    { Resources: { Files: { ...bucket, UpdateReplacePolicy: 'RetainExceptOnCreate' } } },
    {},
    /Unrecognized UpdateReplacePolicy/,
  ],
  'a value that is too long': [
    { Parameters: { Name: { Type: 'String' } }, Resources: { Files: bucket } },
    { Parameters: [{ ParameterKey: 'Name', ParameterValue: 'x'.repeat(4097) }] },
    /may not exceed 4096 bytes/,
  ],
}
test.each(Object.keys(wrong))('a template with %s is refused', async (name) => {
  const [template, more, message] = wrong[name]
  await expect(create('wrong', template, more)).rejects.toMatchObject({
    message: expect.stringMatching(message),
  })
})

test('a property that a type does not have fails its resource', async () => {
  const template = { Resources: { Files: { ...bucket, Properties: { Colour: 'blue' } } } }
  expect(await create('odd', template)).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' })
  expect((await reasons('odd')).join('\n')).toContain('Encountered unsupported property Colour')
})
