import { checkPlan, isVidError, type RenderPlan, type RenderRequest, type Segment } from '@vid/protocol'
import { debugLog } from '@vid/system'
import type { RenderMaker } from '../contracts/kernel-types.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Probe } from '../contracts/roles.ts'
import { draftPlan } from '../plan/draft-plan.ts'
import { cutPlan } from '../plan/frame-range.ts'
import { capturePlan, checkLadder, scalePlan } from '../plan/picture-scale.ts'
import { planPoster } from '../plan/poster.ts'
import { probedPlan } from '../plan/probed-plan.ts'
import { splitFrames } from '../plan/split-frames.ts'
import { checkAnswer } from '../supervision/answers.ts'
import { chooseEncoders, warnOfOddSize, warnOfOpaque } from './choose-encoders.ts'
import type { Pages } from './pages/pages.ts'
import type { PlanCheck } from './plan-check.ts'
import { captureUse, planUse, tapUses } from './plan-use.ts'
import type { Scope } from './scope.ts'

/** The page that is probed is the one to capture; a size that only fits after other plugins is refused after them. */
const scaleWhereFit = (page: RenderPlan, request: RenderRequest): RenderPlan => {
  try {
    return scalePlan(page, request)
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code === 'VID_SCALE_UNFIT') return page
    throw thrown
  }
}

/** The encoder of each output of a request, in order, as a plan names it. */
const encoderUses = async (scope: Scope, request: RenderRequest, encoders: readonly PluginOf<'encoder'>[]) => {
  const { watch } = scope
  const uses = []
  for (const [index, encoder] of encoders.entries()) {
    const outputRequest = { ...request, ...request.outputs[index - 1] }
    const settings = await watch.run(encoder.name, 'settings', () => encoder.settings?.(outputRequest, encoder.options))
    uses.push({
      format: outputRequest.format,
      encoder: await planUse(scope, encoder, checkAnswer(encoder.name, 'settings', settings ?? {})),
    })
  }
  return uses
}

/** The plugins that would render a request, as its plan names them; no page is opened. */
export const renderMakerOf = async (scope: Scope, original: RenderRequest): Promise<RenderMaker> => {
  const { encoders, fps } = chooseEncoders(scope.setup.encoders, original, () => {})
  const request = { ...original, fps }
  const uses = await encoderUses(scope, request, encoders)
  return {
    capture: await captureUse(scope, request),
    encoders: uses.map(({ encoder }) => encoder),
    taps: tapUses(scope),
  }
}

/** Creates a plan: resolves variables, then lets the composition's reader and other plugins complete a draft. */
export const makePlan = async (
  scope: Scope,
  pages: Pages,
  check: PlanCheck,
  original: RenderRequest,
  split: (frames: number) => Segment[] = (frames) => splitFrames(frames, original.segmentFrames),
): Promise<RenderPlan> => {
  const { setup, hooks, warn, signal, reading, sources, sounds, workDir } = scope
  signal.throwIfAborted()
  const { format, videoFrameFormat, network } = original
  const { alpha, encoders, fps } = chooseEncoders(setup.encoders, original, warn)
  // What nobody hears is not measured.
  const isSilent = encoders.every(({ audio }) => audio === false)
  const request = { ...original, fps, ...(isSilent && { loudness: 'off' as const }) }
  const uses = await encoderUses(scope, request, encoders)
  let covered = false
  let probed: Pick<Probe, 'settings'> = {}
  const probe: typeof pages.probe = async (draft) => {
    const report = await pages.probe(capturePlan(scaleWhereFit(draft, request)))
    covered = report.covered === true
    probed = report
    return report
  }
  const context = { request, signal, reading, sources, sounds, workDir, warn, probe }
  const variables = await hooks.resolve.promise(request.variables, context)
  const capture = await captureUse(scope, request)
  const [{ encoder }, ...outputs] = uses as [(typeof uses)[number]]
  const common = {
    fps,
    variables,
    format,
    alpha,
    videoFrameFormat,
    capture,
    encoder,
    ...(network !== 'public' && { network }),
  }
  const draft = draftPlan(request.entry, outputs.length > 0 ? { ...common, outputs } : common)
  const whole = probedPlan(checkPlan(await hooks.plan.promise(draft, context)), probed)
  const cut = cutPlan(scalePlan(whole, request), request)
  const filled = planPoster(cut, request, { encoders, all: setup.encoders, covered })
  if (encoders.some(({ takes }) => takes?.includes('ladder'))) checkLadder(filled, request)
  if (!alpha && !covered) warnOfOpaque(encoders, request, warn)
  warnOfOddSize(setup.encoders, encoders, filled, warn)
  const canJoin = encoders.every(({ join }) => join)
  const segments = canJoin ? split(filled.frames) : splitFrames(filled.frames, filled.frames)
  const plan = { ...filled, segments, taps: tapUses(scope) }
  check.trust(plan)
  debugLog('plan')?.(JSON.stringify(plan, null, 2))
  return plan
}
