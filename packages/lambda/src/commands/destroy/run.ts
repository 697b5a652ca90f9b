import { type CommandRun, confirm } from '@vid/command'
import { fail } from '../../errors.ts'
import { destroyStack } from '../../stack/destroy-stack.ts'
import { STACK_NAME } from '../../stack/found-stack.ts'
import { createStackProgress } from '../shared/stack-text.ts'
import type { lambdaDestroyOptions } from './options.ts'

/** `vid lambda destroy`: removes the stack, once that was confirmed; what is left of it. */
export const runLambdaDestroy = async (run: CommandRun<typeof lambdaDestroyOptions>) => {
  const { signal, options, report, progress } = run
  const { stack: stackName = STACK_NAME, region, empty } = options
  const extents = { all: ' and its bucket with all results of renders', work: ' and what can be made again' }
  if (options.confirm !== false) await confirm(`removing the stack ${stackName}${empty ? extents[empty] : ''}`, run)
  const stackProgress = createStackProgress(report, progress)
  try {
    const { left } = await destroyStack({
      stackName,
      region,
      onEvent: stackProgress.onEvent,
      signal,
      ...(empty && { empty }),
    })
    progress.clear()
    return { stackName, left }
  } catch (thrown) {
    progress.clear()
    if (!signal.aborted || !stackProgress.hasBegun()) throw thrown
    throw fail('VID_LAMBDA_STACK_LEFT', { stackName, command: 'vid lambda destroy' }, { cause: thrown })
  }
}
