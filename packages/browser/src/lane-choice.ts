import { createHash } from 'node:crypto'
import { captureFailure } from './capture-errors.ts'
import type { BrowserExecutable } from './find.ts'
import type { LaneKind } from './lane.ts'
import { beginFrameKind } from './lane-begin-frame.ts'
import { rasterKind } from './lane-raster.ts'
import { screenshotKind } from './lane-screenshot.ts'

/**
 * Which way to capture. `auto` takes the fastest whose pictures are exact. `fastest` tries the raster lane first,
 * which may smooth the edges of moved layers a little differently, and falls back by itself.
 */
export type LaneChoice = 'auto' | 'fastest' | LaneKind['name']

/** The first version that can draw an element in a worker. */
const RASTER_VERSION = 153

/** Whether a browser can draw an element of a page in a worker. */
export const canRaster = ({ version }: BrowserExecutable): boolean =>
  Number.parseInt(version, 10) >= RASTER_VERSION

/** The lane that a browser is captured with; `raw` says whether the frames may be raw pixels. */
export const chooseLane = (lane: LaneChoice, browser: BrowserExecutable, raw: boolean): LaneKind => {
  const controllable = browser.kind === 'headless-shell' && process.platform !== 'darwin'
  const isOpen = lane === 'auto' || lane === 'fastest'
  if ((lane === 'fastest' && raw && canRaster(browser)) || lane === 'raster') {
    if (canRaster(browser)) return rasterKind
  } else if (lane === 'screenshot' || (isOpen && !controllable)) return screenshotKind
  else if (controllable) return beginFrameKind
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser: `${browser.kind} ${browser.version}` })
}

/** Pages remembered at most. */
const MOST_VERDICTS = 200

const verdicts = new Map<string, string>()

/** What this process knows of pages that cannot be captured as an element: other sessions need not find out again. */
export const rasterVerdict = (page: object) => {
  const key = createHash('sha256').update(JSON.stringify(page)).digest('base64')
  return {
    reason: (): string | undefined => verdicts.get(key),
    refuse(reason: string): void {
      const [oldest] = verdicts.keys()
      if (verdicts.size >= MOST_VERDICTS && oldest !== undefined) verdicts.delete(oldest)
      verdicts.set(key, reason)
    },
  }
}
