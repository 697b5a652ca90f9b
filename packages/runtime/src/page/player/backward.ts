import type { Page } from '../page.ts'
import { natives } from '../realm/natives.ts'

/**
 * Lets animations that have ended while frames were shown run again: a seek keeps what has ended, since it goes forwards.
 * Those that had ended before the first frame were ended by the page itself.
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
