import { captureWarning } from '../capture-warnings.ts'
import type { PageLink } from '../driver/page-link.ts'
import type { FrameTree } from '../driver/protocol.ts'
import type { PageReports } from './console-text.ts'

/** An isolated script world, which exists even in a frame whose `sandbox` forbids its scripts. */
const WORLD = 'vid-frames'

/** Animations in a frame that the page cannot access; `undefined` for a frame that it can. */
const MOVING = `(() => {
  try { if (top.document) return undefined } catch {}
  const all = [...document.querySelectorAll('*')]
  const sources = all.flatMap((each) => [each.currentSrc, each.src, each.poster, each.href?.baseVal, getComputedStyle(each).backgroundImage])
  return {
    animation: document.getAnimations().length > 0 || document.querySelector('animate,animateMotion,animateTransform,set') !== null,
    image: sources.some((source) => typeof source === 'string' && /data:image\\/(?:svg|gif|apng|webp|avif)/.test(source) && /animat|%40keyframes|@keyframes|;base64|<set|%3Cset/.test(source)),
  }
})()`

interface Moving {
  readonly animation: boolean
  readonly image: boolean
}

const IMAGE_MOVES =
  'a frame of another origin shows an image that may be animated: it follows the real clock, and may differ in each render'

const framesOf = ({ childFrames = [] }: FrameTree): string[] =>
  childFrames.flatMap((child) => [child.frame.id, ...framesOf(child)])

/**
 * Warns of animations in frames that the page cannot access: those with `sandbox`, and those of `data:` addresses. The
 * browser's clock for animations is stopped there too, and it reports none of them.
 */
export const reportForeignFrames = async (
  { send }: Pick<PageLink, 'send'>,
  { warn }: Pick<PageReports, 'warn'>,
): Promise<void> => {
  const { frameTree } = await send('Page.getFrameTree')
  const look = async (frameId: string): Promise<Moving | undefined> => {
    const { executionContextId } = await send('Page.createIsolatedWorld', { frameId, worldName: WORLD })
    const { result } = await send('Runtime.evaluate', {
      contextId: executionContextId,
      expression: MOVING,
      returnByValue: true,
    })
    return result.value as Moving | undefined
  }
  for (const frameId of framesOf(frameTree)) {
    // The frame has been removed in the meantime, and shows nothing.
    const moving = await look(frameId).catch(() => undefined)
    if (moving?.animation)
      warn(captureWarning('VID_ANIMATION_STILL', { name: '', element: 'a frame of another origin' }))
    if (moving?.image) warn(captureWarning('VID_PAGE_DIFFERS', { message: IMAGE_MOVES }))
  }
}
