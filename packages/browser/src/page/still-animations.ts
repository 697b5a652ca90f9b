import { PAGE_HOST } from '@vid/runtime'
import { captureWarning } from '../capture-warnings.ts'
import type { PageLink } from '../driver/page-link.ts'
import type { PageReports } from './console-text.ts'
import { reportForeignFrames } from './foreign-frames.ts'

/** Of an animation: the element in words when the page does not follow it; a frame of another origin cannot ask the page. */
const DESCRIBE = `function () {
  try { return top.${PAGE_HOST}.stillAnimation(this) } catch { return 'a frame of another origin' }
}`

/** Limit on animations that are asked for: a page may start one in each frame. */
const MAX_STARTED = 1_000

/**
 * Stops the browser's own clock for all animations of a page: what the page sets to the time of a frame moves, and
 * nothing else does. Returns what names the others in warnings.
 */
export const stopAnimations = async (
  link: Pick<PageLink, 'send' | 'on'>,
  { warn }: Pick<PageReports, 'warn'>,
): Promise<() => Promise<void>> => {
  const started = new Map<string, string>()
  link.on('Animation.animationStarted', ({ animation }) => {
    if (animation.viewOrScrollTimeline || started.size >= MAX_STARTED) return
    started.set(animation.id, animation.name)
  })
  // Also sent for an animation that has been paused, as the page does with all that it follows.
  link.on('Animation.animationCanceled', ({ id }) => void started.delete(id))
  await Promise.all([link.send('Animation.enable'), link.send('Animation.setPlaybackRate', { playbackRate: 0 })])
  const describe = async (animationId: string): Promise<unknown> => {
    const { remoteObject } = await link.send('Animation.resolveAnimation', { animationId })
    const { result } = await link.send('Runtime.callFunctionOn', {
      objectId: remoteObject.objectId,
      functionDeclaration: DESCRIBE,
      returnByValue: true,
    })
    return result.value
  }
  return async () => {
    for (const [id, name] of [...started]) {
      started.delete(id)
      // An animation that has ended since cannot be described.
      const element = await describe(id).catch(() => undefined)
      if (typeof element === 'string') warn(captureWarning('VID_ANIMATION_STILL', { name, element }))
    }
    await reportForeignFrames(link, { warn })
  }
}
