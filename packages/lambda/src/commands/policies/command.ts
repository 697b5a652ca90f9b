import { defineCommand } from '@vid/command'
import { lambdaPoliciesOptions } from './options.ts'

/** `vid lambda policies [who]`. */
export const lambdaPoliciesCommand = defineCommand({
  path: 'lambda policies',
  summary: 'Print the least policies of IAM that rendering on AWS needs.',
  details:
    'Without a name, all of them in one JSON object; with one of its names, that policy document alone, as IAM takes it. Asks nothing of AWS.',
  arguments: [{ name: 'who', isOptional: true }],
  options: lambdaPoliciesOptions,
  examples: [
    ['All', 'vid lambda policies'],
    ['That of who renders', 'vid lambda policies render > render.json'],
  ],
  run: async (run) => (await import('./run.ts')).runLambdaPolicies(run),
  text: ({ policies }) => {
    const [first, ...others] = Object.values(policies)
    return JSON.stringify(others.length === 0 ? first : policies, null, 2)
  },
})
