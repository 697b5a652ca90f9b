import { describeCause, failRender, isSystemFault, isVidError, type VidError, type Warning } from '@vid/protocol'

/** Limit on the causes of an error that are followed, since they may form a cycle. */
const MAX_CAUSES = 50

/** Whether all of an error can be read: a plugin may throw anything, such as an object whose properties throw. */
const isReadable = (thrown: unknown): boolean => {
  try {
    let error = thrown
    for (let left = MAX_CAUSES; left > 0 && error instanceof Error; left -= 1) {
      void [error.name, error.message, error.stack, 'code' in error && error.code]
      error = error.cause
    }
    return !(error instanceof Error) && !(isVidError(thrown) && Object.isFrozen(thrown))
  } catch {
    return false
  }
}

/** Turns anything thrown into a coded error; the innermost plugin keeps the blame. */
export const blame = (thrown: unknown, plugin: string, hook: string): VidError => {
  if (!isReadable(thrown))
    return failRender('VID_PLUGIN_FAILED', { plugin, hook, reason: describeCause(thrown) }, { plugin, hook })
  const origin = { plugin, hook, cause: thrown }
  if (!isVidError(thrown) && isSystemFault(thrown))
    return failRender(
      'VID_MACHINE_LACKS',
      { doing: `running hook "${hook}" of ${plugin}`, reason: describeCause(thrown) },
      origin,
    )
  if (!isVidError(thrown))
    return failRender('VID_PLUGIN_FAILED', { plugin, hook, reason: describeCause(thrown) }, origin)
  thrown.plugin ??= plugin
  thrown.hook ??= hook
  return thrown
}

/** The warning for an error that does not stop the render. */
export const warningOf = ({ code, message, hint, plugin }: VidError): Warning => ({
  code,
  message,
  hint,
  ...(plugin !== undefined && { plugin }),
})
