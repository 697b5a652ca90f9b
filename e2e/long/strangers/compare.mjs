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

/** Frames of the video, at most, by which the browser may be early or late: it follows a timer from its own next frame on. */
const FRAMES_OFF = 1

/** A display so fast that its frames are near every moment. */
const BETWEEN_HZ = 240

/** The parts of the compared frames that differ from the browser's, and its pictures; of those around a frame the nearest counts. */
export const compareWithBrowser = async (browser, file, projectDir, frames) => {
  const at = async (hz) => {
    const off = (FRAMES_OFF * hz) / FPS
    const around = COMPARED.map((frame) =>
      Array.from({ length: 2 * off + 1 }, (_, index) => (frame * hz) / FPS - off + index),
    )
    const ticks = [...new Set(around.flat())].sort((a, b) => a - b)
    const plain = new Map(
      (await browser.pictures(file, projectDir, { ticks, hz })).map((picture, n) => [ticks[n], picture]),
    )
    const parts = around.map((near, index) =>
      Math.min(...near.map((tick) => differingPart(decodeScreenshot(plain.get(tick)), frames[index]))),
    )
    return { plain: COMPARED.map((frame) => plain.get((frame * hz) / FPS)), parts }
  }
  const quick = await at(60)
  if (Math.max(...quick.parts) <= LIMIT) return quick
  // A page that counts frames is rendered as on a display of the video's rate; one that takes its start from a clock may
  // be between two frames of a display.
  const others = [await at(FPS), await at(BETWEEN_HZ)]
  const worst = ({ parts }) => Math.max(...parts)
  return others.reduce((best, other) => (worst(other) < worst(best) ? other : best), quick)
}

/** Whether a page draws by chance: what the browser shows of it differs from one visit to the next. */
export const isByChance = async (browser, file, projectDir) => {
  const hz = 60
  const ticks = COMPARED.map((frame) => (frame * hz) / FPS)
  const [one, other] = [
    await browser.pictures(file, projectDir, { ticks, hz }),
    await browser.pictures(file, projectDir, { ticks, hz }),
  ]
  return one.some((picture, index) => differingPart(decodeScreenshot(picture), decodeScreenshot(other[index])) > LIMIT)
}
