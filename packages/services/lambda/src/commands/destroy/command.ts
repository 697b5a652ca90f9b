import { confirm, defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from '../shared/options.ts'

const lambdaDestroyOptions = {
  ...stackOptions,
  empty: {
    kind: 'choice',
    choices: ['work', 'all'],
    about: 'content to remove from the bucket: only files that can be recreated, or everything including results',
    default: 'nothing',
  },
  confirm: { kind: 'switch', about: 'ask first, --no-confirm to start at once', default: 'on' },
  ...outputOptions,
} as const satisfies OptionTable

/** `vid lambda destroy`. */
export const lambdaDestroyCommand = defineCommand({
  path: 'lambda destroy',
  summary: 'Remove what vid lambda deploy created from your AWS account.',
  details:
    'Running renders are stopped. A bucket that is not empty stays; --empty removes its content. The command prints what stays.',
  options: lambdaDestroyOptions,
  examples: [
    ['The stack; a bucket that is not empty stays', 'vid lambda destroy'],
    ['All but the results', 'vid lambda destroy --empty work'],
    ['Everything, without confirmation', 'vid lambda destroy --empty all --no-confirm'],
  ],
  async run(run) {
    const [{ fail }, { destroyStack }, { STACK_NAME }, { createStackProgress }] = await Promise.all([
      import('../../errors.ts'),
      import('../../stack/destroy-stack.ts'),
      import('../../stack/find-stack.ts'),
      import('../shared/stack-text.ts'),
    ])
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
  },
  text: async (result) => (await import('./destroyed-text.ts')).destroyedText(result),
})
