import { PAGE_HOST } from '@vid/runtime'
import { captureWarning } from '../capture-warnings.ts'
import type { PageLink } from '../driver/page-link.ts'
import type { PageReports } from './console-text.ts'
import { reportForeignFrames } from './foreign-frames.ts'

/**
 * The description of an animation's element, if the page does not follow it; a frame of another origin has no page
 * host.
 */
const DESCRIBE = `function () {
  try { return top.${PAGE_HOST}.stillAnimation(this) } catch { return 'a frame of another origin' }
}`

/** Limit on checked animations, since a page may start one in each frame. */
const MAX_STARTED = 1_000

/**
 * Stops the browser's clock for all animations of a page. Animations that the page script seeks still move, all others
 * do not. Returns a function that warns of those.
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
  // Also sent for an animation that was paused, as the page script does with all that it follows.
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
