import { describeCause, failRender, isSystemFault, isVidError, type VidError } from '@vid/protocol'

/** Turns anything thrown into a coded error; the innermost plugin keeps the blame. */
export const blame = (thrown: unknown, plugin: string, hook: string): VidError => {
  const origin = { plugin, hook, cause: thrown }
  if (!isVidError(thrown) && isSystemFault(thrown))
    return failRender(
      'VID_MACHINE_LACKS',
      { doing: `plugin ${plugin} was in hook ${hook}`, reason: describeCause(thrown) },
      origin,
    )
  if (!isVidError(thrown))
    return failRender('VID_PLUGIN_FAILED', { plugin, hook, reason: describeCause(thrown) }, origin)
  thrown.plugin ??= plugin
  thrown.hook ??= hook
  return thrown
}
