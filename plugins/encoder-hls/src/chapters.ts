import type { RenderPlan } from '@vid/kernel'
import { CHAPTERS } from './names.ts'

type Chapters = NonNullable<RenderPlan['chapters']>

/** Seconds without the noise of fractions. */
const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

/** Chapters in the JSON that Apple defines for HLS; a composition does not say what language its titles are in. */
export const chaptersText = (chapters: Chapters): string => {
  const list = chapters.map(({ start, end, title }, index) => ({
    chapter: index + 1,
    'start-time': rounded(start),
    duration: rounded(end - start),
    titles: [{ language: 'und', title }],
  }))
  return `${JSON.stringify(list, null, 2)}\n`
}

/** The line of a multivariant playlist that names the chapters. */
export const CHAPTERS_LINE = `#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="${CHAPTERS}"`
