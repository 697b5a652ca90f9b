import type { RenderPlan, RenderRequest } from '@vid/protocol'
import { checkPlan, draftPlan, replaceSecrets, splitFrames } from '@vid/protocol'
import type { PluginOf } from '../contracts/roles.ts'
import { debugLog } from '../debug.ts'
import { chooseEncoders } from './choose-encoders.ts'
import type { Scope } from './kernel.ts'
import type { Pages } from './pages.ts'

type Planned = PluginOf<'capture'> | PluginOf<'encoder'>

/** How a plan names a plugin: without its secrets, with the build that will draw or encode. */
export const planUse = async ({ watch, context }: Scope, plugin: Planned, settings = {}) => {
  const options = replaceSecrets(plugin.optionsSchema, plugin.options)
  const build = await watch.run(plugin.name, 'build', () => plugin.build?.(context(plugin)))
  return { name: plugin.name, options, settings: settings ?? {}, build: build ?? '' }
}

/** Makes a plan: variables first, then what the composition and other plugins make of a draft. */
export const makePlan = async (scope: Scope, pages: Pages, asked: RenderRequest): Promise<RenderPlan> => {
  const { setup, hooks, watch, warn, signal } = scope
  signal.throwIfAborted()
  const { format, videoFrameFormat } = asked
  const { alpha, encoders, fps } = chooseEncoders(setup.encoders, asked, warn)
  const request = { ...asked, fps }
  const uses = []
  for (const [at, encoder] of encoders.entries()) {
    const own = { ...request, ...request.outputs[at - 1] }
    const settings = await watch.run(encoder.name, 'settings', () => encoder.settings?.(own, encoder.options))
    uses.push({ format: own.format, encoder: await planUse(scope, encoder, settings) })
  }
  const context = { request, signal, warn, probe: pages.probe }
  const variables = await hooks.resolve.promise(request.variables, context)
  const capture = await planUse(scope, setup.capture)
  const [{ encoder }, ...outputs] = uses as [(typeof uses)[number]]
  const known = { fps, variables, format, alpha, videoFrameFormat, capture, encoder }
  const draft = draftPlan(request.entry, outputs.length > 0 ? { ...known, outputs } : known)
  const plan = checkPlan(await hooks.plan.promise(draft, context))
  plan.segments = splitFrames(
    plan.frames,
    encoders.every(({ join }) => join) ? request.segmentFrames : plan.frames,
  )
  scope.trusted.add(plan)
  debugLog('plan')?.(JSON.stringify(plan, null, 2))
  return plan
}
