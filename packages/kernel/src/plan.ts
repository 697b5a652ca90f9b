import {
  checkPlan,
  draftPlan,
  failRender,
  type PluginOf,
  type RenderPlan,
  type RenderRequest,
  replaceSecrets,
  splitFrames,
} from '@vid/protocol'
import type { Scope } from './kernel.ts'
import type { Pages } from './pages.ts'

/** How a plan names a plugin: without its secrets, with the build that will draw or encode. */
export const planUse = async (
  { watch, context }: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  settings: Record<string, unknown> = {},
) => ({
  name: plugin.name,
  options: replaceSecrets(plugin.optionsSchema, plugin.options),
  settings,
  build: (await watch.run(plugin.name, 'build', () => plugin.build?.(context(plugin)))) ?? '',
})

/** Makes a plan: variables first, then what the composition and other plugins make of a draft. */
export const makePlan = async (scope: Scope, pages: Pages, asked: RenderRequest): Promise<RenderPlan> => {
  const { setup, hooks, watch, warn, signal } = scope
  signal.throwIfAborted()
  const { format } = asked
  const encoder = setup.encoders.find(({ formats }) => formats.includes(format))
  if (!encoder)
    throw failRender('VID_FORMAT_UNKNOWN', { format, known: setup.encoders.flatMap((e) => e.formats) })
  const fps = Math.min(asked.fps, encoder.maxFps ?? asked.fps)
  if (fps < asked.fps)
    warn({ code: 'VID_FPS_CAPPED', message: `${format} is limited to ${fps} fps; got ${asked.fps}` })
  const request = { ...asked, fps }
  const settings = watch.runSync(encoder.name, 'settings', () => encoder.settings?.(request, encoder.options))
  // A page that is only probed has not been seeked: any segment may have it later.
  const probe = (draft: RenderPlan) =>
    pages.use(draft, 0, 0, (page) => watch.run(draft.capture.name, 'capture', () => page.probe()))
  const context = { request, signal, warn, probe }
  const variables = await hooks.resolve.promise(request.variables, context)
  const [capture, coded] = [
    await planUse(scope, setup.capture),
    await planUse(scope, encoder, settings ?? {}),
  ]
  const { videoFrameFormat } = request
  const alpha = encoder.alpha ?? false
  const known = { fps, variables, format, alpha, videoFrameFormat, capture, encoder: coded }
  const plan = checkPlan(await hooks.plan.promise(draftPlan(request.entry, known), context))
  if (encoder.audio === false && plan.audio.splice(0).length > 0)
    warn({ code: 'VID_AUDIO_DROPPED', message: `${format} carries no sound: the composition's is left out` })
  plan.segments = splitFrames(plan.frames, encoder.join ? request.segmentFrames : plan.frames)
  scope.planned.add(plan)
  return plan
}
