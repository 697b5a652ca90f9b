// Frames of a video held against what a plain browser draws at their times.
import { decodeScreenshot } from '@vid/browser'
import { decodeFrames } from '@vid/ffmpeg'
import { differingPart } from './differing.mjs'
import { SIZE } from './make-composition.mjs'

/** Frames per second of the videos that are compared. */
export const FPS = 30

/** Frames that are compared. */
export const COMPARED = [6, 20, 35, 50, 70]

/** A page is right when at most this part of its pixels differs. */
export const LIMIT = 0.002

/** The frames of a video that are compared, as pixels. */
export const comparedFrames = async (file) => {
  const frames = []
  let index = 0
  for await (const data of decodeFrames(file, { pixFmt: 'rgba' })) {
    if (COMPARED.includes(index)) frames.push({ ...SIZE, data })
    index += 1
  }
  return frames
}

/**
 * The parts of the compared frames that differ from the browser's, and its pictures. It may have begun a frame earlier or
 * later, depending on how long the page took to load, so the nearest of three counts.
 */
export const compareWithBrowser = async (browser, file, projectDir, frames) => {
  const at = async (hz) => {
    const middles = COMPARED.map((frame) => Math.round((frame / FPS) * hz))
    const ticks = [...new Set(middles.flatMap((tick) => [tick - 1, tick, tick + 1]))].sort((a, b) => a - b)
    const plain = await browser.pictures(file, projectDir, { ticks, hz })
    const nearest = middles.map((middle, index) => {
      const parts = [middle - 1, middle, middle + 1].map((tick) =>
        differingPart(decodeScreenshot(plain[ticks.indexOf(tick)]), frames[index]),
      )
      return Math.min(...parts)
    })
    return { plain: middles.map((tick) => plain[ticks.indexOf(tick)]), parts: nearest }
  }
  const quick = await at(60)
  if (Math.max(...quick.parts) <= LIMIT) return quick
  // A page that counts frames is rendered as on a display of the video's rate.
  const slow = await at(FPS)
  return Math.max(...slow.parts) < Math.max(...quick.parts) ? slow : quick
}
