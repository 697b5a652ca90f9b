import type { PluginOf, RenderPlan, RenderRequest } from '@vid/protocol'
import { checkPlan, draftPlan, failRender, replaceSecrets, splitFrames } from '@vid/protocol'
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
  const encoder = setup.encoders.find(({ formats }) => formats.includes(format))
  if (!encoder)
    throw failRender('VID_FORMAT_UNKNOWN', { format, known: setup.encoders.flatMap((e) => e.formats) })
  const fps = Math.min(asked.fps, encoder.maxFps ?? asked.fps)
  if (fps < asked.fps)
    warn({ code: 'VID_FPS_CAPPED', message: `${format} is limited to ${fps} fps; got ${asked.fps}` })
  const request = { ...asked, fps }
  const settings = await watch.run(encoder.name, 'settings', () =>
    encoder.settings?.(request, encoder.options),
  )
  // A page that is only probed has not been seeked: any segment may have it later.
  const probe = (draft: RenderPlan) =>
    pages.use(draft, 0, 0, (page) => watch.run(draft.capture.name, 'capture', () => page.probe()))
  const context = { request, signal, warn, probe }
  const variables = await hooks.resolve.promise(request.variables, context)
  const capture = await planUse(scope, setup.capture)
  const known = { fps, variables, format, alpha: encoder.alpha ?? false, videoFrameFormat, capture }
  const draft = draftPlan(request.entry, { ...known, encoder: await planUse(scope, encoder, settings) })
  const plan = checkPlan(await hooks.plan.promise(draft, context))
  plan.segments = splitFrames(plan.frames, encoder.join ? request.segmentFrames : plan.frames)
  scope.trusted.add(plan)
  return plan
}
