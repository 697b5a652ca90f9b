import { expect, test } from 'vitest'
import { stack } from './stack.ts'

test('deploy prints the outputs of the stack', () => {
  const { code, stdout, stderr } = stack().deployed
  expect(code, stderr).toBe(0)
  for (const name of ['RenderBucketName', 'RenderStateMachineArn', 'RenderFunctionArn'])
    expect(stdout).toMatch(new RegExp(`^${name}=\\S+$`, 'm'))
  for (const step of ['collecting', 'starting its', 'compressing', 'formats: ', 'uploading the function: '])
    expect(stderr).toContain(step)
})
