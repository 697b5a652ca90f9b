// What becomes of renders while the stack is deployed.
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListVersionsByFunctionCommand } from '@aws-sdk/client-lambda'
import { DescribeExecutionCommand, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deployStack } from '../../src/index.ts'
import { openAws, zipOf } from './fixtures/endpoints.mjs'

const DAYS = 24 * 3_600_000

/** A function that plans two chunks, and names the code of each call in what it returns. */
const codeOf = (name) => `
const chunks = [0, 1]
const parts = chunks.map((chunk) => ({ action: 'segment', chunk }))
const actions = {
  plan: () => ({ renderId: 'any', request: {}, plan: {}, chunks, parts, isWide: false }),
  segment: ({ chunk }) => ({ chunk, code: '${name}' }),
  assemble: ({ results }) => [...results.map(({ code }) => code), '${name}'],
  abandon: () => ({}),
}
export const handler = (event) => actions[event.action](event)`

let aws
let folder
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-deploy-'))
  aws = await openAws({ retryScale: 0.01, initSeconds: 120 })
  for (const [name, value] of Object.entries(aws.env)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  await aws.close()
})

/** Deploys a function to a stack that each test has of its own. */
const deployTo = (stackName) => async (name, more) => {
  const packageFile = join(folder, `${name}.zip`)
  writeFileSync(packageFile, await zipOf(codeOf(name)))
  return deployStack({ stackName, packageFile, memory: 256, ...more })
}
const begin = async (name, { stateMachineArn }) => {
  const input = JSON.stringify({ action: 'plan' })
  return (await aws.sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }))).executionArn
}
const ended = (executionArn) =>
  vi.waitFor(
    async () => {
      const { status, output, cause } = await aws.sfn.send(new DescribeExecutionCommand({ executionArn }))
      expect(status, cause).not.toBe('RUNNING')
      return { status, output: output && JSON.parse(output), cause }
    },
    { timeout: 60_000, interval: 100 },
  )
const versionsOf = async ({ functionArn }) => {
  const { Versions } = await aws.lambda.send(new ListVersionsByFunctionCommand({ FunctionName: functionArn }))
  return Versions.map(({ Version }) => Version)
}

test('a render that runs while the stack is deployed ends with the code it began with, which is kept until then', async () => {
  const deploy = deployTo('running')
  const stack = await deploy('one')
  expect(stack.functionVersion).toBe('1')
  // Nothing may run: the render waits, as it does where an account has no calls left.
  await aws.control('concurrency', 0)
  const first = await begin('first', stack)
  expect(await deploy('two')).toMatchObject({ functionVersion: '2' })
  const second = await begin('second', stack)
  expect(await deploy('three')).toMatchObject({ functionVersion: '3' })
  await aws.control('age', { name: stack.functionArn, ms: 2 * DAYS })
  expect(await deploy('four')).toMatchObject({ functionVersion: '4' })
  // Of those that are old, two are used by renders, and one is that before the present one.
  expect(await versionsOf(stack)).toEqual(['$LATEST', '1', '2', '3', '4'])
  await aws.control('concurrency', 10)
  expect(await ended(first)).toMatchObject({ status: 'SUCCEEDED', output: ['one', 'one', 'one'] })
  expect(await ended(second)).toMatchObject({ status: 'SUCCEEDED', output: ['two', 'two', 'two'] })
  const latest = await ended(await begin('latest', stack))
  expect(latest).toMatchObject({ status: 'SUCCEEDED', output: ['four', 'four', 'four'] })
  await deploy('five')
  expect(await versionsOf(stack)).toEqual(['$LATEST', '4', '5'])
}, 120_000)

test('the same package again publishes nothing, another size does', async () => {
  const deploy = deployTo('same')
  const { functionVersion } = await deploy('six')
  expect(await deploy('six')).toMatchObject({ functionVersion })
  const larger = await deploy('six', { memory: 512 })
  expect(Number(larger.functionVersion)).toBe(Number(functionVersion) + 1)
  expect(await deploy('six', { memory: 512, logDays: 7, concurrency: 5 })).toMatchObject({
    functionVersion: larger.functionVersion,
  })
}, 120_000)
