import { nearest } from '@vid/kernel'
import { STACK_NAME, stackPolicies } from '@vid/lambda'
import { fail } from '../../../errors.ts'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { lambdaPoliciesFlags } from './flags.ts'

const shown = (value: unknown) => JSON.stringify(value, null, 2)

/** `vid lambda policies`: prints all policy documents, or that of `who`. */
export const runLambdaPolicies = async (
  who: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { flags, report } = startCommand(lambdaPoliciesFlags, rawFlags, context)
  const { stack: stackName = STACK_NAME } = flags
  const all: Readonly<Record<string, unknown>> = { ...stackPolicies({ stackName }) }
  const names = Object.keys(all)
  if (who !== undefined && !names.includes(who)) {
    const near = nearest(who, names)
    throw fail('VID_USAGE', {
      command: 'lambda policies',
      reason: `there is no policy "${who}"; known: ${names.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
    })
  }
  report.event({ type: 'lambda-policies', policies: who === undefined ? all : { [who]: all[who] } })
  report.result(shown(who === undefined ? all : all[who]))
}
