import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation'
import { expect, test } from 'vitest'
import { BOUNDARY, clientOf, stack } from './stack.ts'

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
