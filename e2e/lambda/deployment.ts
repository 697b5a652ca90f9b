import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation'
import { expect, onTestFinished, test } from 'vitest'
import { BOUNDARY, clientOf, keysBelow, lambda, readBytes, stack } from './stack.ts'

test('deploy prints the outputs of the stack', () => {
  const { code, stdout, stderr } = stack().deployed
  expect(code, stderr).toBe(0)
  for (const name of ['RenderBucketName', 'RenderStateMachineArn', 'RenderFunctionArn'])
    expect(stdout).toMatch(new RegExp(`^${name}=\\S+$`, 'm'))
  for (const step of ['collecting', 'starting its', 'compressing', 'formats: ', 'uploading the function: '])
    expect(stderr).toContain(step)
})

test('the tags, the boundary and the tracing of a deployment are those of the stack', async () => {
  const client = clientOf(CloudFormationClient, 'CLOUDFORMATION')
  const StackName = 'vid-render'
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  expect(Stacks[0]).toMatchObject({
    Tags: [
      { Key: 'vid:stack', Value: 'render' },
      { Key: 'team', Value: 'video' },
      { Key: 'stage', Value: 'test' },
    ],
    Parameters: expect.arrayContaining([{ ParameterKey: 'Tracing', ParameterValue: 'on' }]),
  })
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }))
  for (const role of ['RenderFunctionRole', 'RenderWorkflowRole'])
    expect(JSON.parse(TemplateBody).Resources[role].Properties.PermissionsBoundary).toBe(BOUNDARY)
  client.destroy()
})

test('another tool creates a stack of the printed template', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-template-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const key = (await keysBelow('functions/')).find((name) => name.endsWith('.zip')) ?? ''
  const zip = join(folder, 'function.zip')
  await writeFile(zip, (await readBytes(key)) ?? '')
  const { code, stdout, stderr } = await lambda(['template', '--package', zip, '--memory', '2048'])
  expect(code, stderr).toBe(0)
  expect(stderr).toContain(key)
  const client = clientOf(CloudFormationClient, 'CLOUDFORMATION')
  onTestFinished(() => client.destroy())
  const StackName = 'videos-of-another-tool'
  const Parameters = [{ ParameterKey: 'CodeBucket', ParameterValue: stack().bucket }]
  const Capabilities = ['CAPABILITY_IAM' as const]
  await client.send(new CreateStackCommand({ StackName, TemplateBody: stdout, Parameters, Capabilities }))
  const waiting = { client, maxWaitTime: 600, minDelay: 1, maxDelay: 1 }
  await waitUntilStackCreateComplete(waiting, { StackName })
  const { Stacks: [created] = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  const outputs = Object.fromEntries((created?.Outputs ?? []).map((each) => [each.OutputKey, each.OutputValue]))
  expect(outputs).toMatchObject({ MemorySize: '2048', RenderStateMachineArn: expect.stringMatching(StackName) })
  expect(outputs.RenderBucketName).not.toBe(stack().bucket)
  await client.send(new DeleteStackCommand({ StackName }))
  await waitUntilStackDeleteComplete(waiting, { StackName: created?.StackId })
})
