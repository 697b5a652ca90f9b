import type { CommandRun, OptionValues } from '@vid/command'
import { reportSuccess } from '../shared/ending.ts'
import { followToEnd, type LambdaSession, readState } from '../shared/following.ts'
import { pollMsOf } from '../shared/options.ts'
import { placeResult } from '../shared/output-place.ts'
import { placeFromOptions } from '../shared/place.ts'
import { readPriceFile } from '../shared/prices.ts'
import type { lambdaProgressOptions } from './options.ts'

type Options = OptionValues<typeof lambdaProgressOptions>

/** Follows a render to its end, and fetches its result if requested. */
const follow = async (session: LambdaSession, render: string, options: Options, cwd: string): Promise<void> => {
  const { output, force = false } = options
  const end = await followToEnd(session, render, pollMsOf(options))
  const { format } = end
  const hasPoster = end.result?.poster !== undefined
  const placement = { output, format, hasPoster, isFormatChosen: false, force, projectDir: cwd, inputs: [] }
  await reportSuccess(session, end, { cwd, placeFor: async () => (await placeResult(placement, cwd))?.path })
}

/** `vid lambda progress`: reports the progress of a render; with --wait, follows the render to its end. */
export const runLambdaProgress = async (run: CommandRun<typeof lambdaProgressOptions, { readonly render: string }>) => {
  const { cwd, signal, options, json, report, progress } = run
  const { render } = run.arguments
  const prices = await readPriceFile(options.prices, run)
  const place = await placeFromOptions(options, run, render)
  const session = { place, report, progress, signal, json, prices, memoryMb: options.memory }
  if (options.wait) {
    await follow(session, render, options, cwd)
    return undefined
  }
  return readState(session, render, signal)
}
