import { defineCommand } from '@vid/command'
import { lambdaRenderCommandOptions, lambdaRenderConflicts, lambdaRenderNeeds } from './options.ts'

/** `vid lambda render [dir]`. */
export const lambdaRenderCommand = defineCommand({
  path: 'lambda render',
  summary: 'Render a composition on AWS Lambda.',
  details:
    'Uploads a folder (default: the current one) unless it is uploaded already, starts the render and prints its handle. With --wait, it follows the render and prints the address of the result. Ctrl-C does not stop the render.',
  arguments: [{ name: 'dir', isOptional: true }],
  options: lambdaRenderCommandOptions,
  examples: [
    ['The folder "intro", to a file here', 'vid lambda render intro --wait --output intro.mp4'],
    ['Without waiting', 'vid lambda render intro --output-key videos/intro.mp4'],
    ['An estimate of its cost', 'vid lambda render intro --estimate'],
  ],
  conflicts: lambdaRenderConflicts,
  needs: lambdaRenderNeeds,
  check: async ({ options }) => (await import('./request.ts')).lambdaRenderProblems(options),
  run: async (run) => (await import('./run.ts')).runLambdaRender(run),
})
