import { defineCommand } from '@vid/command'
import { lambdaRenderBatchConflicts, lambdaRenderBatchOptions } from './options.ts'

/** `vid lambda render-batch [dir]`. */
export const lambdaRenderBatchCommand = defineCommand({
  path: 'lambda render-batch',
  summary: 'Start one render on AWS Lambda for each line of a file.',
  details:
    'Checks every line, uploads the folder (default: the current one) unless it is uploaded already, and starts the renders without waiting for them. Segments that several renders share are rendered once. The lines hold the values of variables: there is no --variables-file.',
  arguments: [{ name: 'dir', isOptional: true }],
  options: lambdaRenderBatchOptions,
  examples: [
    ['One video for each line', 'vid lambda render-batch intro --batch people.jsonl'],
    ['Only check', 'vid lambda render-batch intro --batch people.jsonl --dry-run'],
  ],
  conflicts: lambdaRenderBatchConflicts,
  check: async ({ options }) => (await import('./request.ts')).lambdaBatchProblems(options),
  run: async (run) => (await import('./run.ts')).runLambdaRenderBatch(run),
  text: async ({ rows }) => (await import('./rows-text.ts')).outcomesText(rows),
  json: ({ rows }) => rows,
  exitCode: ({ rows }) => (rows.some(({ status }) => status === 'failed-to-start') ? 1 : 0),
})
