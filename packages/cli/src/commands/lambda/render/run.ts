import { prepareExecution, renderToLambda } from '@vid/lambda'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { inFlags } from '../../../lambda/config.ts'
import { endHere } from '../../../lambda/ending.ts'
import { pollMsOf } from '../../../lambda/flags.ts'
import { followHere } from '../../../lambda/following.ts'
import { handleText } from '../../../lambda/handle-text.ts'
import { placeOf } from '../../../lambda/place.ts'
import { pricesOf } from '../../../lambda/prices.ts'
import { uploadSite } from '../../../lambda/upload.ts'
import { createReport } from '../../../report.ts'
import { chooseProgress } from '../../render/progress.ts'
import { estimateHere } from './estimate.ts'
import { readLambdaAsk } from './request.ts'

/** `vid lambda render`: uploads a project, starts its render, and follows it where that is asked. */
export const runLambdaRender = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { cwd, signal } = context
  const json = rawFlags.json === true
  const report = createReport({ ...context, json, quiet: rawFlags.quiet === true })
  const ask = await readLambdaAsk(dir, rawFlags, context)
  const { flags, config, project, placeFor } = ask
  for (const warning of ask.warnings) report.warn(warning)
  if (!json) for (const note of ask.notes) report.note(note)
  const prices = await pricesOf(flags.prices, context)
  if (flags.estimate) return estimateHere(ask, { report, prices, context })
  const { 'output-key': outputKey, 'site-id': known } = flags
  const order = { config, ...(outputKey !== undefined && { outputKey }) }
  await inFlags(() => prepareExecution({ ...order, siteId: known ?? project?.manifest.digest ?? '', signal }))
  const place = await placeOf(flags, context)
  const progress = chooseProgress(context, report, rawFlags)
  const session = { place, report, progress, signal, json, prices }
  const siteId = known ?? (await uploadSite(project?.composition.projectDir ?? cwd, place, session)).siteId
  const handle = await renderToLambda({ ...order, ...place, siteHandle: siteId, signal })
  report.event({ type: 'lambda-render', ...handle })
  if (!flags.wait) return report.result(handleText(handle))
  if (!json) report.note(`started: ${handle.renderId}`)
  const end = await followHere(session, handle.renderId, pollMsOf(flags))
  await endHere(session, end, { cwd, placeFor })
}
