import type { Picture } from './differing.mjs'
import type { PlainBrowser } from './plain-browser.mjs'

/** Frames per second of the videos that are compared. */
export const FPS: number

/** Frames that are compared. */
export const COMPARED: readonly number[]

/** A page is right when at most this part of its pixels differs. */
export const LIMIT: number

/** The frames of a video that are compared, as pixels. */
export const comparedFrames: (file: string) => Promise<readonly Picture[]>

/** The parts of the compared frames that differ from the browser's, from 0 to 1, and its pictures as PNG. */
export const compareWithBrowser: (
  browser: PlainBrowser,
  file: string,
  projectDir: string,
  frames: readonly Picture[],
) => Promise<{ readonly plain: readonly Buffer[]; readonly parts: readonly number[] }>

/** Whether what the browser shows of a page differs from one visit to the next. */
export const isByChance: (browser: PlainBrowser, file: string, projectDir: string) => Promise<boolean>
