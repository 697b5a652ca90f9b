import { stopRender } from '@vid/lambda'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { placeOf, renderIdOf } from '../../../lambda/place.ts'
import { createReport } from '../../../report.ts'
import { lambdaStopFlags } from './flags.ts'

/** `vid lambda stop`: ends a render. */
export const runLambdaStop = async (
  render: string,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { values: flags, errors } = checkFlags(lambdaStopFlags, rawFlags)
  throwErrors(errors)
  const { json = false, quiet = false } = flags
  const report = createReport({ ...context, json, quiet })
  const place = await placeOf(flags, context, render)
  const renderId = renderIdOf(render)
  await stopRender({ ...place, renderId, signal: context.signal })
  report.event({ type: 'lambda-stop', renderId })
  report.result(renderId)
}
