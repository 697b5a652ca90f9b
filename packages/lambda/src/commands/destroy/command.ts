import { defineCommand } from '@vid/command'
import { lambdaDestroyOptions } from './options.ts'

/** `vid lambda destroy`. */
export const lambdaDestroyCommand = defineCommand({
  path: 'lambda destroy',
  summary: 'Remove what vid lambda deploy created from your AWS account.',
  details:
    'Running renders are ended. A bucket that is not empty stays; --empty removes its content. The command prints what stays.',
  options: lambdaDestroyOptions,
  examples: [
    ['The stack; a bucket that is not empty stays', 'vid lambda destroy'],
    ['All but the results', 'vid lambda destroy --empty work'],
    ['Everything, without confirmation', 'vid lambda destroy --empty all --no-confirm'],
  ],
  run: async (run) => (await import('./run.ts')).runLambdaDestroy(run),
  text: async (result) => (await import('./destroyed-text.ts')).destroyedText(result),
})
