import { defineCommand } from '@vid/command'
import { lambdaLogsOptions } from './options.ts'

/** `vid lambda logs <render>`. */
export const lambdaLogsCommand = defineCommand({
  path: 'lambda logs',
  summary: 'Print the logs of a render, by its id or the ARN of its execution.',
  arguments: [{ name: 'render' }],
  options: lambdaLogsOptions,
  examples: [['As JSON', 'vid lambda logs 7kq2f --json']],
  run: async (run) => (await import('./run.ts')).runLambdaLogs(run),
})
