import { createHash } from 'node:crypto'
import { captureFailure } from '../capture-errors.ts'
import type { BrowserExecutable } from '../launch/find.ts'
import { isPortable } from '../portable/portable-driver.ts'
import type { LaneKind } from './lane.ts'
import { beginFrameKind } from './lane-begin-frame.ts'
import { rasterKind } from './lane-raster.ts'
import { screenshotKind } from './lane-screenshot.ts'

/** Which way to capture; `auto` takes the fastest that is right for the page, and says when that is a slower one. */
export type LaneChoice = 'auto' | LaneKind['name']

/** The first version that can draw an element in a worker. */
const RASTER_VERSION = 153

/** Whether a browser can draw an element of a page in a worker. */
export const canRaster = ({ version }: BrowserExecutable): boolean =>
  Number.parseInt(version, 10) >= RASTER_VERSION

/** What is left of a choice with a driver: without the DevTools protocol there are screenshots alone. */
export const narrowLane = (lane: LaneChoice, driver: object): LaneChoice => {
  if (!isPortable(driver) || lane === 'screenshot') return lane
  if (lane === 'auto') return 'screenshot'
  const browser = `${driver.browser} without the DevTools protocol`
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser })
}

/** The lane that a browser is captured with; `fits` says whether the page may be drawn as an element. */
export const chooseLane = (lane: LaneChoice, browser: BrowserExecutable, fits: boolean): LaneKind => {
  const controllable = browser.kind === 'headless-shell' && process.platform !== 'darwin'
  if ((lane === 'auto' && fits && canRaster(browser)) || lane === 'raster') {
    if (canRaster(browser)) return rasterKind
  } else if (lane === 'screenshot' || (lane === 'auto' && !controllable)) return screenshotKind
  else if (controllable) return beginFrameKind
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser: `${browser.kind} ${browser.version}` })
}

/** Pages remembered at most. */
const MOST_VERDICTS = 200

const verdicts = new Map<string, string>()

/**
 * What this process knows of pages that cannot be captured as an element, so that it need not find out again: of the
 * whole page, or of the range of frames that begins with `start`. What one range is says nothing of another, else the
 * pictures would depend on which was captured first.
 */
export const rasterVerdict = (page: object) => {
  const key = createHash('sha256').update(JSON.stringify(page)).digest('base64')
  const keyOf = (start?: number) => `${key} ${start ?? ''}`
  return {
    reason: (start?: number): string | undefined => verdicts.get(keyOf(start)),
    refuse(reason: string, start?: number): void {
      const [oldest] = verdicts.keys()
      if (verdicts.size >= MOST_VERDICTS && oldest !== undefined) verdicts.delete(oldest)
      verdicts.set(keyOf(start), reason)
    },
  }
}
