import { defineCommand } from '@vid/command'
import { lambdaDestroyOptions } from './options.ts'

/** `vid lambda destroy`. */
export const lambdaDestroyCommand = defineCommand({
  path: 'lambda destroy',
  summary: 'Remove from your AWS account what vid lambda deploy has made.',
  details:
    'Renders that run are ended. A bucket that is not empty stays; --empty removes what is in it. What stays is printed.',
  options: lambdaDestroyOptions,
  examples: [
    ['The stack; a bucket with anything in it stays', 'vid lambda destroy'],
    ['All but the results', 'vid lambda destroy --empty work'],
    ['Everything, without being asked', 'vid lambda destroy --empty all --no-confirm'],
  ],
  run: async (run) => (await import('./run.ts')).runLambdaDestroy(run),
  text: async (result) => (await import('./destroyed-text.ts')).destroyedText(result),
})
