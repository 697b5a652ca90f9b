import { checkStackFormat, prepareExecution, type RenderHandle, renderToLambda } from '@vid/lambda'
import { reportOf } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { inFlags } from '../../../lambda/config.ts'
import { endHere } from '../../../lambda/ending.ts'
import { pollMsOf } from '../../../lambda/flags.ts'
import { followHere, type LambdaSession } from '../../../lambda/following.ts'
import { handleText } from '../../../lambda/handle-text.ts'
import { placeOf } from '../../../lambda/place.ts'
import { pricesOf } from '../../../lambda/prices.ts'
import { uploadSite } from '../../../lambda/upload.ts'
import { withVariables } from '../../../lambda/variables-file.ts'
import { chooseProgress } from '../../render/progress.ts'
import { estimateHere } from './estimate.ts'
import { type LambdaAsk, readLambdaAsk } from './request.ts'

/** Uploads the project unless it is there, and starts its render; everything is checked before AWS is asked. */
const startRender = (
  { flags, config, variables, project }: LambdaAsk,
  session: Omit<LambdaSession, 'place'>,
  context: CliContext,
): Promise<{ readonly session: LambdaSession; readonly handle: RenderHandle }> =>
  withVariables(variables, flags['variables-file'] !== undefined, async (given) => {
    const { 'output-key': outputKey, 'site-id': known } = flags
    const order = { config: { ...config, ...given }, ...(outputKey !== undefined && { outputKey }) }
    await inFlags(() => prepareExecution({ ...order, siteId: known ?? project?.manifest.digest ?? '' }))
    const place = await placeOf(flags, context)
    const placed = { ...session, place }
    await checkStackFormat({ ...place, signal: context.signal }, config)
    const folder = project?.composition.projectDir ?? context.cwd
    const siteHandle = known ?? (await uploadSite(folder, place, placed)).siteId
    context.signal.throwIfAborted()
    // Not ended by the signal: a render whose reply is not heard would go on without anybody knowing.
    const handle = await renderToLambda({ ...order, ...place, siteHandle })
    session.report.event({ type: 'lambda-render', ...handle })
    return { session: placed, handle }
  })

/** `vid lambda render`: uploads a project, starts its render, and follows it where that is asked. */
export const runLambdaRender = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { cwd, signal } = context
  const json = rawFlags.json === true
  const report = reportOf(rawFlags, context)
  const ask = await readLambdaAsk(dir, rawFlags, context)
  const { flags, placeFor } = ask
  for (const warning of ask.warnings) report.warn(warning)
  if (!json) for (const note of ask.notes) report.note(note)
  const prices = await pricesOf(flags.prices, context)
  if (flags.estimate) return estimateHere(ask, { report, prices, context })
  const progress = chooseProgress(context, report, rawFlags)
  const watched = { report, progress, signal, json, prices, memoryMb: flags.memory }
  const { session, handle } = await startRender(ask, watched, context)
  if (!flags.wait) {
    report.result(handleText(handle))
    if (!json) report.note(`this follows it: vid lambda progress ${handle.renderId} --wait`)
    return
  }
  if (!json) report.note(`started: ${handle.renderId}`)
  const end = await followHere(session, handle.renderId, pollMsOf(flags))
  await endHere(session, end, { cwd, placeFor, shown: ask.warnings })
}
