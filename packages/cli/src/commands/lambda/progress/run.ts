import { startCommand } from '../../../flags/command-start.ts'
import type { FlagValues } from '../../../flags/flag.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { formatOf } from '../../../lambda/config.ts'
import { endHere } from '../../../lambda/ending.ts'
import { pollMsOf } from '../../../lambda/flags.ts'
import { followHere, type LambdaSession, lookAt } from '../../../lambda/following.ts'
import { placeResult } from '../../../lambda/output-place.ts'
import { placeOf } from '../../../lambda/place.ts'
import { pricesOf } from '../../../lambda/prices.ts'
import { recordText } from '../../../lambda/record-text.ts'
import { chooseProgress } from '../../render/progress.ts'
import { lambdaProgressFlags, lambdaProgressNeeds } from './flags.ts'

type Flags = FlagValues<typeof lambdaProgressFlags>

/** Follows a render to its end, and fetches its result where that is asked. */
const follow = async (session: LambdaSession, render: string, flags: Flags, cwd: string): Promise<void> => {
  const { output, force = false } = flags
  const end = await followHere(session, render, pollMsOf(flags))
  const format = formatOf({}, end.outputFile ?? undefined)
  const wanted = { output, format, isFormatChosen: false, force, projectDir: cwd, inputs: [] }
  await endHere(session, end, { cwd, placeFor: async () => (await placeResult(wanted, cwd))?.path })
}

/** `vid lambda progress`: prints how far a render is, or follows it; resolves to the exit code. */
export const runLambdaProgress = async (render: string, rawFlags: RawFlags, context: CliContext): Promise<number> => {
  const { cwd, signal } = context
  const { flags, json, report } = startCommand(lambdaProgressFlags, rawFlags, context, {
    needs: lambdaProgressNeeds,
  })
  const prices = await pricesOf(flags.prices, context)
  const place = await placeOf(flags, context, render)
  const progress = chooseProgress(context, report, rawFlags)
  const session = { place, report, progress, signal, json, prices, memoryMb: flags.memory }
  if (flags.wait) {
    await follow(session, render, flags, cwd)
    return 0
  }
  const now = await lookAt(session, render, signal)
  report.event({ type: 'lambda-progress', ...now })
  report.result(recordText(now))
  return 0
}
