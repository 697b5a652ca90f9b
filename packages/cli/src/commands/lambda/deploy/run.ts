import { resolve } from 'node:path'
import { deployStack, STACK_NAME } from '@vid/lambda'
import { defined } from '@vid/render'
import { fail } from '../../../errors.ts'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createStackProgress } from '../../../lambda/stack-text.ts'
import { chooseProgress } from '../../render/progress.ts'
import { lambdaDeployConflicts, lambdaDeployFlags } from './flags.ts'

/** `vid lambda deploy`: makes the stack or brings it up to date, and prints its outputs. */
export const runLambdaDeploy = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const { flags, json, report } = startCommand(lambdaDeployFlags, rawFlags, context, {
    conflicts: lambdaDeployConflicts,
  })
  const { stack: stackName = STACK_NAME } = flags
  const { region, concurrency, memory, storage, config, image } = flags
  const { 'retention-days': retentionDays, 'log-days': logDays } = flags
  const progress = chooseProgress(context, report, rawFlags)
  const shown = createStackProgress(report, progress)
  try {
    const outputs = await deployStack({
      stackName,
      region,
      cwd,
      onEvent: shown.onEvent,
      signal,
      ...defined({ concurrency, memory, storage, image, retentionDays, logDays }),
      ...(config !== undefined && { configFile: resolve(cwd, config) }),
    })
    progress.clear()
    if (!json && !shown.hasBegun()) report.note(`${stackName} is up to date: nothing has changed`)
    const { bucketName, stateMachineArn, functionArn } = outputs
    report.event({ type: 'lambda-deploy', ...outputs })
    report.result(`RenderBucketName=${bucketName}`)
    report.result(`RenderStateMachineArn=${stateMachineArn}`)
    report.result(`RenderFunctionArn=${functionArn}`)
    if (json) return
    report.note('in the environment, these spare the other commands a look at the stack:')
    report.note(`  export VID_BUCKET=${bucketName} VID_SFN_ARN=${stateMachineArn}`)
  } catch (thrown) {
    progress.clear()
    if (!signal.aborted || !shown.hasBegun()) throw thrown
    throw fail('VID_LAMBDA_STACK_LEFT', { stackName, command: 'vid lambda deploy' }, { cause: thrown })
  }
}
