import { defineCommand } from '@vid/command'
import { lambdaListConflicts, lambdaListOptions } from './options.ts'

/** `vid lambda list`. */
export const lambdaListCommand = defineCommand({
  path: 'lambda list',
  summary: 'List the renders of the last 90 days on AWS Lambda, the latest first.',
  options: lambdaListOptions,
  examples: [
    ['The latest', 'vid lambda list'],
    ['Those that failed, as JSON', 'vid lambda list --status failed --all --json'],
  ],
  conflicts: lambdaListConflicts,
  run: async (run) => (await import('./run.ts')).runLambdaList(run),
  text: async (result) => (await import('./list-text.ts')).renderListText(result),
})
