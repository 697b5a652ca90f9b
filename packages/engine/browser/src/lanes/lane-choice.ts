import { createHash } from 'node:crypto'
import { createRecentMap } from '@vid/protocol'
import { captureFailure } from '../capture-errors.ts'
import type { LaneKind } from '../driver/lane.ts'
import { isPortable } from '../driver/portable-driver.ts'
import type { BrowserExecutable } from '../launch/find.ts'
import type { Repetition } from '../repetition.ts'
import { beginFrameKind } from './lane-begin-frame.ts'
import { rasterKind } from './lane-raster.ts'
import { screenshotKind } from './lane-screenshot.ts'

/**
 * The lane to capture with; `auto` chooses the fastest that is correct for the page, and warns when a faster one is
 * not.
 */
export type LaneChoice = 'auto' | LaneKind['name']

/** The first version that can draw an element in a worker. */
const RASTER_VERSION = 153

/** Whether a browser can draw an element of a page in a worker. */
export const canRaster = ({ version }: BrowserExecutable): boolean => Number.parseInt(version, 10) >= RASTER_VERSION

/** Narrows a choice to what a driver can do: without the DevTools protocol, screenshots only. */
export const narrowLane = (lane: LaneChoice, driver: object): LaneChoice => {
  if (!isPortable(driver) || lane === 'screenshot') return lane
  if (lane === 'auto') return 'screenshot'
  const browser = `${driver.browser} without the DevTools protocol`
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser })
}

/** The lanes that capture images of a page. */
export type ImageLane = Exclude<LaneKind['name'], 'raster'>

/** The criteria for a lane: the page's raster eligibility, and what its plan says. */
export interface LaneFacts {
  readonly fits: boolean
  /** The lane that was measured to be the fastest for a page that does not fit; begin-frame unless it is given. */
  readonly image?: ImageLane | undefined
}

/** Whether a browser can draw the frames of a page on command. */
export const isControllable = ({ kind }: BrowserExecutable): boolean =>
  kind === 'headless-shell' && process.platform !== 'darwin'

/** The lane for a browser. */
export const chooseLane = (lane: LaneChoice, browser: BrowserExecutable, facts: LaneFacts): LaneKind => {
  const { fits, image } = facts
  const controllable = isControllable(browser)
  if ((lane === 'auto' && fits && canRaster(browser)) || lane === 'raster') {
    if (canRaster(browser)) return rasterKind
  } else if (lane === 'screenshot' || (lane === 'auto' && (!controllable || image === 'screenshot')))
    return screenshotKind
  else if (controllable) return beginFrameKind
  throw captureFailure('VID_LANE_UNAVAILABLE', { lane, browser: `${browser.kind} ${browser.version}` })
}

/** Limit on remembered pages and ranges. */
const MAX_REMEMBERED = 200

const digestOf = (page: object): string => createHash('sha256').update(JSON.stringify(page)).digest('base64')

/** Why the raster lane does not capture a page or a range, and what two captures by slower lanes say, if there were any. */
export interface Refusal {
  readonly reason: string
  readonly repetition?: Repetition | undefined
}

/**
 * The reasons why the raster lane refused pages, by a digest of everything that determines the page. It belongs to the
 * process, so that the next session of a page, also in a later render, need not try again; it only saves time and
 * changes no picture.
 */
const refusals = createRecentMap<string, Refusal>(MAX_REMEMBERED)

/** The lanes that were measured to be the fastest for such pages, so that rows and later plans need not measure them. */
const fastest = createRecentMap<string, ImageLane>(MAX_REMEMBERED)

/** The lane that was measured in this process to be the fastest for a page, by everything that determines its markup. */
export const measuredLane = (page: object) => {
  const key = digestOf(page)
  return { get: () => fastest.get(key), set: (lane: ImageLane) => fastest.set(key, lane) }
}

/** How often pages have crashed in the raster lane, by the same digests. */
const crashes = createRecentMap<string, number>(MAX_REMEMBERED)

/** The refusals of one page by the raster lane, remembered in this process. */
export interface RasterEligibility {
  /** The reason why the whole page was refused, or the range that starts with `start`; undefined if neither was. */
  refusal(start?: number): Refusal | undefined
  /**
   * Remembers a refusal. A refused range does not affect another: otherwise pictures would depend on which range
   * was captured first.
   */
  refuse(refusal: Refusal, start?: number): void
  /** Remembers that the page, or that range, has crashed; returns how often it has. */
  countCrash(start?: number): number
}

/** Looks up a page's refusals, by everything that determines its pictures. */
export const rasterEligibility = (page: object): RasterEligibility => {
  const key = digestOf(page)
  const keyOf = (start?: number) => `${key} ${start ?? ''}`
  return {
    refusal: (start) => refusals.get(keyOf(start)),
    refuse(refusal, start) {
      refusals.set(keyOf(start), refusal)
    },
    countCrash(start) {
      const count = (crashes.get(keyOf(start)) ?? 0) + 1
      crashes.set(keyOf(start), count)
      return count
    },
  }
}
