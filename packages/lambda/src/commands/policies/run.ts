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
  const { who } = run.arguments
  const all: Readonly<Record<string, unknown>> = { ...stackPolicies({ stackName }) }
  const names = Object.keys(all)
  if (who !== undefined && !names.includes(who)) {
    const near = nearest(who, names)
    throw fail('VID_USAGE', {
      command: 'lambda policies',
      reason: `there is no policy "${who}"; known: ${names.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
    })
  }
  return { policies: who === undefined ? all : { [who]: all[who] } }
}
