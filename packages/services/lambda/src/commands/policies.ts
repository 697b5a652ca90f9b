import { defineCommand, fail, type OptionTable, outputOptions } from '@vid/command'
import { stackOptions } from './shared/options.ts'
import { boundaryFlag } from './shared/stack-settings.ts'

const lambdaPoliciesOptions = {
  stack: stackOptions.stack,
  'permissions-boundary': {
    ...boundaryFlag,
    about: 'policy that bounds the roles of the stack: the policy deploy then allows no role without it',
    default: 'no boundary',
  },
  ...outputOptions,
} as const satisfies OptionTable

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
    ['A boundary for the roles of the stack', 'vid lambda policies boundary > boundary.json'],
  ],
  async run(run) {
    const [{ nearest }, { STACK_NAME }, { stackPolicies }] = await Promise.all([
      import('@vid/protocol'),
      import('../stack/find-stack.ts'),
      import('../stack/policies.ts'),
    ])
    const { stack: stackName = STACK_NAME, 'permissions-boundary': permissionsBoundary } = run.options
    const { who: policyName } = run.arguments
    const policies: Readonly<Record<string, unknown>> = {
      ...stackPolicies({ stackName, ...(permissionsBoundary !== undefined && { permissionsBoundary }) }),
    }
    const names = Object.keys(policies)
    if (policyName !== undefined && !names.includes(policyName)) {
      const near = nearest(policyName, names)
      throw fail('VID_USAGE', {
        command: 'lambda policies',
        reason: `there is no policy "${policyName}"; known: ${names.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
      })
    }
    return { policies: policyName === undefined ? policies : { [policyName]: policies[policyName] } }
  },
  text: ({ policies }) => {
    const [first, ...others] = Object.values(policies)
    return JSON.stringify(others.length === 0 ? first : policies, null, 2)
  },
})
