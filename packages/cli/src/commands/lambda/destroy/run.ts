import { type DestroyedStack, destroyStack, STACK_NAME } from '@vid/lambda'
import { confirm } from '../../../cloud/confirm.ts'
import { fail } from '../../../errors.ts'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createStackProgress } from '../../../lambda/stack-text.ts'
import { bytesText } from '../../../text.ts'
import { chooseProgress } from '../../render/progress.ts'
import { lambdaDestroyFlags } from './flags.ts'

const leftText = ({ bucketName, objects, bytes }: NonNullable<DestroyedStack['left']>): string =>
  `left: the bucket ${bucketName}, ${objects} objects, ${bytesText(bytes)}; "aws s3 rb s3://${bucketName} --force" removes it with everything in it`

/** `vid lambda destroy`: removes the stack, once that was confirmed, and prints what is left of it. */
export const runLambdaDestroy = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { signal } = context
  const { flags, json, report } = startCommand(lambdaDestroyFlags, rawFlags, context)
  const { stack: stackName = STACK_NAME, region, empty } = flags
  const what = { all: ' and its bucket with all results of renders', work: ' and what can be made again' }
  if (flags.confirm !== false) await confirm(`removing the stack ${stackName}${empty ? what[empty] : ''}`, context)
  const progress = chooseProgress(context, report, rawFlags)
  const shown = createStackProgress(report, progress)
  try {
    const { left } = await destroyStack({
      stackName,
      region,
      onEvent: shown.onEvent,
      signal,
      ...(empty && { empty }),
    })
    progress.clear()
    report.event({ type: 'lambda-destroy', stackName, left })
    if (left && !json) report.note(leftText(left))
    report.result(stackName)
  } catch (thrown) {
    progress.clear()
    if (!signal.aborted || !shown.hasBegun()) throw thrown
    throw fail('VID_LAMBDA_STACK_LEFT', { stackName, command: 'vid lambda destroy' }, { cause: thrown })
  }
}
