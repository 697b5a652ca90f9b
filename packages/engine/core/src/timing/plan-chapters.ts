import type { ChapterUse, RenderPlan } from '@vid/protocol'

/** Chapters of a file. */
type Chapters = NonNullable<RenderPlan['chapters']>

/** A part of a composition in seconds. */
interface CompositionPart {
  readonly start: number
  readonly end: number
}

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

/**
 * The chapters of a part of a composition, in its time: each lasts until the next one, and the first begins with the part, since
 * mp4 and mov hold no time without a chapter. Of several that begin together, the first in the document counts.
 */
export const planChapters = (uses: readonly ChapterUse[], { start: from, end: until }: CompositionPart): Chapters => {
  const sorted = [...uses].filter(({ start }) => start < until).sort((a, b) => a.start - b.start)
  const apart = sorted.filter(({ start }, index) => sorted[index - 1]?.start !== start)
  const begun = apart.findLastIndex(({ start }) => start <= from)
  const chapters = apart.slice(Math.max(0, begun))
  return chapters.map(({ title, start }, index) => ({
    title,
    start: index === 0 ? 0 : rounded(start - from),
    end: rounded((chapters[index + 1]?.start ?? until) - from),
  }))
}
