import type { ProbeReport } from '../../contract.ts'
import { separateIds } from '../embedded/separate-ids.ts'
import { findState } from '../motion/statefulness.ts'
import type { Page } from '../page.ts'
import { findLength } from './length.ts'

/** Ends loading: lays the page out, stops what plays by itself, and tells what the page is. */
export const beginPage = (page: Page): ProbeReport => {
  const { animations, clips, layout, timelines, timers, frames } = page
  separateIds(document)
  layout.markRoot()
  layout.place()
  layout.finish()
  timers.release('none')
  frames.release('none')
  timelines.pause()
  page.adapters.begin()
  clips.show(page.windows(), 0)
  animations.begin(page.release)
  page.clock.started = true
  animations.sync(0)
  void page.smil.sync()
  const windows = page.windows()
  for (const message of windows.problems) page.errors.add({ message })
  const because = findState(page)
  const { duration, infinite } = findLength({ ...page, windows })
  const { adapters, listeners } = page
  const isScripted = listeners.has('vid-seek', 'hf-seek') || adapters.list().length > 0
  return {
    duration,
    stateful: because.length > 0,
    because,
    volumesMove:
      because.length > 0 || isScripted || timelines.mayChange('volume') || timelines.mayChange('muted'),
    ...(infinite && { infinite }),
    media: page.media.list(),
    drawsVideos: document.querySelector('canvas') !== null,
    stills: page.animatedImages.stills(),
    timelines: [...new Set(timelines.list().map(({ key }) => key))],
    errors: [...page.errors.list],
  }
}
