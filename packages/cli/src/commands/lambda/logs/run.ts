import { printableLines } from '@vid/kernel'
import { type LogLine, renderLogs, stackOutputs } from '@vid/lambda'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { placeOf, renderIdOf } from '../../../lambda/place.ts'
import { createReport } from '../../../report.ts'
import { lambdaLogsFlags } from './flags.ts'

const lineText = ({ time, action, chunk, message }: LogLine): string =>
  printableLines(`${time}  ${action === 'segment' ? `chunk ${chunk}` : action}  ${message}`)

/** `vid lambda logs`: prints what the calls of a render have logged. */
export const runLambdaLogs = async (
  render: string,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { signal } = context
  const { values: flags, errors } = checkFlags(lambdaLogsFlags, rawFlags)
  throwErrors(errors)
  const { json = false, quiet = false, failed: failedOnly = false } = flags
  const report = createReport({ ...context, json, quiet })
  const place = await placeOf(flags, context, render)
  // A state machine has the name of its stack, which alone knows where it logs.
  const stackName = flags.stack ?? place.stateMachineArn.split(':').at(-1)
  const regionOrigin = flags.region === undefined ? 'of the state machine' : undefined
  const { logGroupName } = await stackOutputs({ stackName, region: place.region, regionOrigin, signal })
  const query = { ...place, renderId: renderIdOf(render), logGroupName, failedOnly, signal }
  let count = 0
  for await (const line of renderLogs(query)) {
    count += 1
    report.event({ type: 'lambda-log', ...line })
    report.result(lineText(line))
  }
  if (!json && count === 0) report.note('nothing was logged, or the logs have expired')
}
