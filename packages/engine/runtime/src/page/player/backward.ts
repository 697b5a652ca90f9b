import type { Page } from '../page.ts'
import { natives } from '../realm/natives.ts'

/**
 * Revives animations that have ended while frames were shown, since seeks normally only go forwards and keep them
 * ended. Animations that had ended before the first frame were ended by the page itself.
 */
export const createRevival = ({ animations }: Pick<Page, 'animations'>) => {
  const endedAtStart = new Set([...animations.playbacks.values()].filter(({ done }) => done))
  return (): void => {
    for (const playback of animations.playbacks.values()) {
      if (!playback.done || endedAtStart.has(playback)) continue
      playback.done = false
      natives.animation.pause.call(playback.animation)
    }
  }
}
