import type { CompositionText } from '@vid/kernel'

/** A text counts where it is nearly as opaque as it ever is: what fades in is not meant to be read yet. */
const SETTLED = 0.95

/** Part of a text that is seen while a mask reveals it, and that it does not yet need to be read in. */
const REVEALED = 0.6

/** Part of the lines of a text that nothing cuts away. */
export const visiblePart = ({ lines, visible }: Pick<CompositionText, 'lines' | 'visible'>): number => {
  let whole = 0
  let seen = 0
  for (const { x, y, width, height } of lines) {
    whole += width * height
    const wide = Math.min(x + width, visible.x + visible.width) - Math.max(x, visible.x)
    const high = Math.min(y + height, visible.y + visible.height) - Math.max(y, visible.y)
    if (wide > 0 && high > 0) seen += wide * high
  }
  return whole > 0 ? seen / whole : 0
}

/** Part of the time of a text, and seconds at most, in which it comes and goes: also below a veil over the picture. */
const MARGIN = 0.2
const MAX_MARGIN = 0.5

/** Spans without the frames in which all of them come and go. */
const withoutEdges = (spans: readonly CompositionText[], fps: number): readonly CompositionText[] => {
  const start = spans[0]?.frames[0] ?? 0
  const end = Math.max(start, ...spans.map(({ frames }) => frames[1]))
  const margin = Math.floor(Math.min(MAX_MARGIN * fps, MARGIN * (end - start)))
  return spans.flatMap((text) => {
    const first = Math.max(text.frames[0], start + margin)
    const last = Math.min(text.frames[1], end - margin)
    if (text.isStill) return first < last ? [{ ...text, frames: [first, last] as const }] : []
    return text.frames[0] >= start + margin && text.frames[1] <= end - margin ? [text] : []
  })
}

/** Seconds for which a text that was bright has to stand dimmed. */
const DIMMED_SECONDS = 1

/** Seconds before it is dimmed in which something new may draw the eye. */
const BEFORE_SECONDS = 0.5

/** Opacity below which a text is gone. */
const GONE = 0.1

/** A frame in which an element appears or becomes brighter. */
export interface Arrival {
  readonly element: number
  readonly frame: number
}

/**
 * The frames in which a text of one element stands dimmed and nothing new comes: what is over is usually dimmed for what
 * comes next.
 */
export const leftDimmed = (
  spans: readonly CompositionText[],
  arrivals: readonly Arrival[],
  fps: number,
): readonly CompositionText[] =>
  spans.filter(({ element, isStill, opacity, covered, frames: [start, end] }) => {
    const wasBright = spans.some((other) => other.frames[1] <= start && SETTLED * other.opacity > opacity)
    const isLong = end - start >= DIMMED_SECONDS * fps
    if (!isStill || !wasBright || !isLong || opacity < GONE || covered >= 0.5) return false
    const from = start - BEFORE_SECONDS * fps
    return !arrivals.some((other) => other.element !== element && other.frame > from && other.frame < end)
  })

/** The frames in which texts of one element are meant to be read: where they stand, or all where they never do. */
export const readableSpans = (spans: readonly CompositionText[], fps: number): readonly CompositionText[] => {
  const most = Math.max(0, ...spans.map(({ opacity }) => opacity))
  const settled = spans.filter(
    (text) => text.opacity >= SETTLED * most && text.covered < 0.5 && visiblePart(text) >= REVEALED,
  )
  return withoutEdges(settled.some(({ isStill }) => isStill) ? settled.filter(({ isStill }) => isStill) : settled, fps)
}
