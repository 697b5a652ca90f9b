import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { defined } from '@vid/render'
import { fail } from '../../errors.ts'
import { deployStack } from '../../stack/deploy-stack.ts'
import { STACK_NAME } from '../../stack/found-stack.ts'
import { createStackProgress } from '../shared/stack-text.ts'
import type { lambdaDeployOptions } from './options.ts'

/** `vid lambda deploy`: makes the stack or brings it up to date; its outputs. */
export const runLambdaDeploy = async (run: CommandRun<typeof lambdaDeployOptions>) => {
  const { cwd, signal, options, json, report, progress } = run
  const { stack: stackName = STACK_NAME } = options
  const { region, concurrency, memory, storage, config, image } = options
  const { 'retention-days': retentionDays, 'log-days': logDays } = options
  const stackProgress = createStackProgress(report, progress)
  try {
    const outputs = await deployStack({
      stackName,
      region,
      cwd,
      onEvent: stackProgress.onEvent,
      signal,
      ...defined({ concurrency, memory, storage, image, retentionDays, logDays }),
      ...(config !== undefined && { configFile: resolve(cwd, config) }),
    })
    progress.clear()
    if (!json && !stackProgress.hasBegun()) report.note(`${stackName} is up to date: nothing has changed`)
    return outputs
  } catch (thrown) {
    progress.clear()
    if (!signal.aborted || !stackProgress.hasBegun()) throw thrown
    throw fail('VID_LAMBDA_STACK_LEFT', { stackName, command: 'vid lambda deploy' }, { cause: thrown })
  }
}
