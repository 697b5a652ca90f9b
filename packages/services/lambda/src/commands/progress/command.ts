import { defineCommand } from '@vid/command'
import { lambdaProgressNeeds, lambdaProgressOptions } from './options.ts'

/** `vid lambda progress <render>`. */
export const lambdaProgressCommand = defineCommand({
  path: 'lambda progress',
  summary: 'Show the progress and the cost of a render on AWS Lambda.',
  details:
    'Takes the id of the render or the ARN of its execution. With --wait, it follows the render to its end, as vid lambda render --wait does.',
  arguments: [{ name: 'render' }],
  options: lambdaProgressOptions,
  examples: [
    ['Once', 'vid lambda progress 7kq2f'],
    ['To its end, with the file', 'vid lambda progress 7kq2f --wait --output video.mp4'],
  ],
  needs: lambdaProgressNeeds,
  run: async (run) => (await import('./run.ts')).runLambdaProgress(run),
  text: async (now) => (await import('../shared/record-text.ts')).renderStateText(now),
})
