import { type CommandRun, fail } from '@vid/command'
import { nearest } from '@vid/kernel'
import { STACK_NAME } from '../../stack/found-stack.ts'
import { stackPolicies } from '../../stack/policies.ts'
import type { lambdaPoliciesOptions } from './options.ts'

/** `vid lambda policies`: all policy documents, or that of `who`. */
export const runLambdaPolicies = async (
  run: CommandRun<typeof lambdaPoliciesOptions, { readonly who: string | undefined }>,
) => {
  const { stack: stackName = STACK_NAME } = run.options
  const { who: policyName } = run.arguments
  const policies: Readonly<Record<string, unknown>> = { ...stackPolicies({ stackName }) }
  const names = Object.keys(policies)
  if (policyName !== undefined && !names.includes(policyName)) {
    const near = nearest(policyName, names)
    throw fail('VID_USAGE', {
      command: 'lambda policies',
      reason: `there is no policy "${policyName}"; known: ${names.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
    })
  }
  return { policies: policyName === undefined ? policies : { [policyName]: policies[policyName] } }
}
