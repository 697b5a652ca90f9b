import { defineCommand } from '@vid/command'
import { lambdaPoliciesOptions } from './options.ts'

/** `vid lambda policies [who]`. */
export const lambdaPoliciesCommand = defineCommand({
  path: 'lambda policies',
  summary: 'Print the minimal IAM policies for rendering on AWS.',
  details:
    'Without a name, all of them in one JSON object; with a name, that policy document alone, ready for IAM. Sends no request to AWS.',
  arguments: [{ name: 'who', isOptional: true }],
  options: lambdaPoliciesOptions,
  examples: [
    ['All', 'vid lambda policies'],
    ['The policy for rendering', 'vid lambda policies render > render.json'],
  ],
  run: async (run) => (await import('./run.ts')).runLambdaPolicies(run),
  text: ({ policies }) => {
    const [first, ...others] = Object.values(policies)
    return JSON.stringify(others.length === 0 ? first : policies, null, 2)
  },
})
