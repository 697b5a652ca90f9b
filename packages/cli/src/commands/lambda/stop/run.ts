import { stopRender } from '@vid/lambda'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { placeOf, renderIdOf } from '../../../lambda/place.ts'
import { lambdaStopFlags } from './flags.ts'

/** `vid lambda stop`: ends a render. */
export const runLambdaStop = async (render: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { flags, report } = startCommand(lambdaStopFlags, rawFlags, context)
  const place = await placeOf(flags, context, render)
  const renderId = renderIdOf(render)
  await stopRender({ ...place, renderId, signal: context.signal })
  report.event({ type: 'lambda-stop', renderId })
  report.result(renderId)
}
