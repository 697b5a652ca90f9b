// What a stack of another version does with renders.
import { execFile } from 'node:child_process'
import { DescribeExecutionCommand, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { path } from '../../../../../scripts/workspaces.mjs'

/** Runs `vid lambda …`; resolves to its exit code and what it wrote. */
export const vidLambda = (words, env = {}) =>
  new Promise((resolve) => {
    const command = [path('packages/engine/cli/bin/vid.js'), 'lambda', ...words]
    execFile(process.execPath, command, { env: { ...process.env, ...env }, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })

const problemsOf = (checks) => checks.filter(([isRight]) => !isRight).map(([, problem]) => problem)

/** Each returns its problems and a line about what it took. */
export const versionCases = {
  'a stack of another version': async ({ aws, stack, compositions, session }) => {
    const before = (await session.keys('renders/')).length
    await aws.control('output', { stack: stack.stackName, name: 'VidVersion', value: '9.9.9' })
    const { code, stderr } = await vidLambda(['render', compositions.short.dir])
    await aws.control('output', { stack: stack.stackName, name: 'VidVersion', value: stack.version })
    const problems = problemsOf([
      [code !== 0, 'the command ended with 0'],
      [stderr.includes('VID_LAMBDA_STACK_VERSION') && stderr.includes('9.9.9'), `it said: ${stderr}`],
      [(await session.keys('renders/')).length === before, 'a render has begun'],
    ])
    return { problems, how: `exit code ${code}` }
  },
  'an input of another version': async ({ session, compositions, lambdaFailure }) => {
    const { stateMachineArn } = session.place
    const first = await session.start(compositions.short.dir, { config: { reuse: false } })
    await session.follow(first)
    const { executionArn } = first
    const execution = await session.sfn.send(new DescribeExecutionCommand({ executionArn }))
    const input = JSON.parse(execution.input)
    const renderId = `${first.renderId}-old`
    const changed = { ...input, renderId, version: '0.0.1', outputKey: `outputs/${renderId}.mp4` }
    await session.sfn.send(
      new StartExecutionCommand({ stateMachineArn, name: renderId, input: JSON.stringify(changed) }),
    )
    const end = await session.follow({ renderId })
    const problems = problemsOf([
      [end.status === 'FAILED', `it has ${end.status}`],
      [
        end.status === 'FAILED' && lambdaFailure(end).code === 'VID_LAMBDA_FUNCTION_VERSION',
        JSON.stringify(end.errors),
      ],
      [end.lambdasInvoked <= 2, `${end.lambdasInvoked} calls were made`],
      [(await session.keys(changed.outputKey)).length === 0, 'it has made a file'],
    ])
    return { problems, how: `${end.status}, ${end.lambdasInvoked} calls` }
  },
}
