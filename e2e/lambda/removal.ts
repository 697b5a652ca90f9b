import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { expect, test } from 'vitest'
import { aws, clientOf, keysBelow, lambda, stack } from './stack.ts'

test('destroy keeps the results unless it is told otherwise', async () => {
  const gone = await lambda(['destroy', '--no-confirm'])
  expect(gone.code, gone.stderr).toBe(0)
  expect(gone.stderr).toContain(stack().bucket)
  expect(await keysBelow('films/')).toEqual(['films/again.mp4'])
  const description = clientOf(CloudFormationClient, 'CLOUDFORMATION').send(
    new DescribeStacksCommand({ StackName: 'vid-render' }),
  )
  await expect(description).rejects.toThrow('does not exist')
  const again = await lambda(['destroy', '--empty', 'all', '--no-confirm'])
  expect([again.code, again.stderr.includes('vid lambda deploy')], again.stderr).toEqual([2, false])
  expect(again.stderr).toMatch(/VID_LAMBDA_STACK_MISSING: .* in the region \S+ \(of AWS_REGION\)/)
  const { environments } = await aws().control('state')
  expect(environments).toEqual([])
})
