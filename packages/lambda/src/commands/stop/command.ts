import { defineCommand } from '@vid/command'
import { lambdaStopOptions } from './options.ts'

/** `vid lambda stop <render>`. */
export const lambdaStopCommand = defineCommand({
  path: 'lambda stop',
  summary: 'End a render on AWS Lambda, by its id or the ARN of its execution.',
  details: 'No further calls start; running calls end within 15 minutes.',
  arguments: [{ name: 'render' }],
  options: lambdaStopOptions,
  examples: [['A render', 'vid lambda stop 7kq2f']],
  run: async (run) => (await import('./run.ts')).runLambdaStop(run),
  text: ({ renderId }) => renderId,
})
