import type { ImageSettings } from '../driver/lane.ts'
import type { FrameTicks } from './frame-ticks.ts'
import type { CapturePage } from './page.ts'

/** Draws one frame of the page, with a picture of it when `screenshot` is given. */
export const beginFrame = (page: CapturePage, ticks: FrameTicks, tick: number, screenshot?: ImageSettings) =>
  page.send('HeadlessExperimental.beginFrame', {
    frameTimeTicks: tick,
    interval: ticks.intervalMs,
    ...(screenshot && { screenshot }),
  })
