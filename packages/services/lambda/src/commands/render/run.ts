import { type RenderHandle, renderToLambda } from '../../render-to-lambda.ts'
import { prepareExecution } from '../../renders/prepare-execution.ts'
import { checkStackFormat } from '../../stack/stack-formats.ts'
import { inOptions } from '../shared/config.ts'
import { reportSuccess } from '../shared/ending.ts'
import { followToEnd, type LambdaSession } from '../shared/following.ts'
import { handleText } from '../shared/handle-text.ts'
import { pollMsOf } from '../shared/options.ts'
import { placeFromOptions } from '../shared/place.ts'
import { readPriceFile } from '../shared/prices.ts'
import { uploadSite } from '../shared/upload.ts'
import { withVariablesFile } from '../shared/variables-file.ts'
import { reportEstimate } from './estimate.ts'
import { type LambdaRenderRun, type LambdaRenderTask, readLambdaRenderTask } from './request.ts'

/**
 * Uploads the project unless the bucket has it, and starts its render; checks everything before the first request to
 * AWS.
 */
const startRender = (
  { config, variables, project }: LambdaRenderTask,
  session: Omit<LambdaSession, 'place'>,
  run: LambdaRenderRun,
): Promise<{ readonly session: LambdaSession; readonly handle: RenderHandle }> =>
  withVariablesFile(variables, run.options['variables-file'] !== undefined, async (values) => {
    const { 'output-key': outputKey, 'site-id': deployedSite } = run.options
    const order = { config: { ...config, ...values }, ...(outputKey !== undefined && { outputKey }) }
    await inOptions(() => prepareExecution({ ...order, siteId: deployedSite ?? project?.manifest.digest ?? '' }))
    const place = await placeFromOptions(run.options, run)
    const sessionAtPlace = { ...session, place }
    await checkStackFormat({ ...place, signal: run.signal }, config)
    const folder = project?.composition.projectDir ?? run.cwd
    const siteHandle = deployedSite ?? (await uploadSite(folder, place, sessionAtPlace)).siteId
    run.signal.throwIfAborted()
    // Not aborted by the signal: a render whose reply is lost would continue unnoticed.
    const handle = await renderToLambda({ ...order, ...place, siteHandle })
    session.report.event({ type: 'lambda-render', ...handle })
    return { session: sessionAtPlace, handle }
  })

/** `vid lambda render`: uploads a project, starts its render, and follows it if requested. */
export const runLambdaRender = async (run: LambdaRenderRun): Promise<void> => {
  const { cwd, signal, options, json, report, progress } = run
  const ask = await readLambdaRenderTask(run)
  const { placeFor } = ask
  for (const warning of ask.warnings) report.warn(warning)
  if (!json) for (const note of ask.notes) report.note(note)
  const prices = await readPriceFile(options.prices, run)
  if (options.estimate) return reportEstimate(ask, prices, run)
  const watched = { report, progress, signal, json, prices, memoryMb: options.memory }
  const { session, handle } = await startRender(ask, watched, run)
  if (!options.wait) {
    report.result(handleText(handle))
    if (!json) report.note(`follow it with: vid lambda progress ${handle.renderId} --wait`)
    return
  }
  if (!json) report.note(`started: ${handle.renderId}`)
  const end = await followToEnd(session, handle.renderId, pollMsOf(options))
  await reportSuccess(session, end, { cwd, placeFor, shown: ask.warnings })
}
