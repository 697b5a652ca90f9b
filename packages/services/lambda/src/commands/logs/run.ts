import type { CommandRun } from '@vid/command'
import { printableLines } from '@vid/protocol'
import { type LogLine, renderLogs } from '../../renders/render-logs.ts'
import { stackOutputs } from '../../stack/stack-outputs.ts'
import { placeFromOptions, renderIdOf } from '../shared/place.ts'
import type { lambdaLogsOptions } from './options.ts'

const lineText = ({ time, action, chunk, message }: LogLine): string =>
  printableLines(`${time}  ${action === 'segment' ? `chunk ${chunk}` : action}  ${message}`)

/** `vid lambda logs`: prints the log lines of a render's calls. */
export const runLambdaLogs = async (
  run: CommandRun<typeof lambdaLogsOptions, { readonly render: string }>,
): Promise<void> => {
  const { signal, options, json, report } = run
  const { render } = run.arguments
  const { failed: failedOnly = false } = options
  const place = await placeFromOptions(options, run, render)
  // The state machine has the name of its stack, which is the only source of the log group's name.
  const stackName = options.stack ?? place.stateMachineArn.split(':').at(-1)
  const regionOrigin = options.region === undefined ? 'of the state machine' : undefined
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
