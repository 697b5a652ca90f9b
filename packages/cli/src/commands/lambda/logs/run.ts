import { printableLines } from '@vid/kernel'
import { type LogLine, renderLogs, stackOutputs } from '@vid/lambda'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { placeOf, renderIdOf } from '../../../lambda/place.ts'
import { lambdaLogsFlags } from './flags.ts'

const lineText = ({ time, action, chunk, message }: LogLine): string =>
  printableLines(`${time}  ${action === 'segment' ? `chunk ${chunk}` : action}  ${message}`)

/** `vid lambda logs`: prints what the calls of a render have logged. */
export const runLambdaLogs = async (render: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { signal } = context
  const { flags, json, report } = startCommand(lambdaLogsFlags, rawFlags, context)
  const { failed: failedOnly = false } = flags
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
