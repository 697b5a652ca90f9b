import type { CompositionBox, CompositionFrames, CompositionPicture, CompositionText } from '@vid/kernel'
import { groupBy } from '../group-by.ts'
import { GRID } from './picture-grid.ts'

/** Change of the light behind a text above which its darkest and its brightest moment are both looked at. */
const CHANGE = 0.02

/** Most frames of one composition whose contrast is measured. */
const MAX_FRAMES = 240

type PageSize = { readonly width: number; readonly height: number }

/** Mean light of the cells that a box touches. */
export const lightOf = (
  { luminance }: CompositionPicture,
  { x, y, width, height }: CompositionBox,
  page: PageSize,
): number => {
  const column = (place: number) =>
    Math.min(GRID.columns - 1, Math.max(0, Math.floor((place / page.width) * GRID.columns)))
  const row = (place: number) => Math.min(GRID.rows - 1, Math.max(0, Math.floor((place / page.height) * GRID.rows)))
  let sum = 0
  let count = 0
  for (let line = row(y); line <= row(y + height); line++)
    for (let cell = column(x); cell <= column(x + width); cell++) {
      sum += luminance[line * GRID.columns + cell] ?? 0
      count += 1
    }
  return sum / Math.max(1, count)
}

/** The first place in ordered pictures whose frame is after another. */
const firstAfter = (pictures: readonly CompositionPicture[], frame: number): number => {
  let low = 0
  let high = pictures.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pictures[middle]?.frame ?? 0) > frame) high = middle
    else low = middle + 1
  }
  return low
}

/** The pictures that are shown in some frames. */
export const picturesIn = (pictures: readonly CompositionPicture[], [start, end]: CompositionFrames) =>
  pictures.slice(Math.max(0, firstAfter(pictures, start) - 1), firstAfter(pictures, end - 1))

/** A frame in which a text is to be looked at, and others that show the same. */
interface Moment {
  readonly frame: number
  readonly light: number
}

/** Frames at which the contrast of texts is measured: for each block its middle, and its darkest and brightest moments. */
export const contrastFrames = (
  texts: readonly CompositionText[],
  pictures: readonly CompositionPicture[],
  page: PageSize,
): readonly number[] => {
  const chosen = new Set<number>()
  /** Frames that are looked at anyway are taken first. */
  const want = (moments: readonly Moment[], moment: Moment) => {
    const isShown = moments.some(({ frame, light }) => chosen.has(frame) && Math.abs(light - moment.light) < CHANGE)
    if (!isShown && chosen.size < MAX_FRAMES) chosen.add(moment.frame)
  }
  const blocks = [...groupBy(texts, ({ block }) => block).values()]
  const longest = (spans: readonly CompositionText[]) =>
    Math.max(0, ...spans.map(({ frames: [start, end] }) => end - start))
  for (const spans of blocks.sort((one, other) => longest(other) - longest(one))) {
    const moments = spans.flatMap(({ frames: all, visible, isStill }) => {
      // What moves is where it was seen in the first of its frames alone.
      const frames: CompositionFrames = isStill ? all : [all[0], all[0] + 1]
      const middle = Math.floor((frames[0] + frames[1] - 1) / 2)
      const shown = picturesIn(pictures, frames)
      const inMiddle = shown.findLast(({ frame }) => frame <= middle)
      const each = shown.map((picture) => ({
        frame: Math.max(picture.frame, frames[0]),
        light: lightOf(picture, visible, page),
      }))
      return inMiddle ? [{ frame: middle, light: lightOf(inMiddle, visible, page) }, ...each] : each
    })
    const ordered = [...moments].sort((one, other) => one.light - other.light)
    const [first] = moments
    const [darkest] = ordered
    const brightest = ordered.at(-1)
    for (const moment of [first, darkest, brightest]) if (moment) want(moments, moment)
  }
  return [...chosen].sort((one, other) => one - other)
}
