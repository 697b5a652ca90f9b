import { parentOf } from '../document/flat-tree.ts'
import type { TimeWindows } from '../document/windows.ts'
import type { Adapters } from '../libraries/adapters.ts'
import { type Timelines, timelineSeconds } from '../libraries/timelines.ts'
import type { Animations } from '../motion/animations.ts'

/** The parts of a page that have a length. */
export interface LengthParts {
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly windows: TimeWindows
}

const COMPOSITIONS = '[data-composition-id],[data-composition-src]'

const endOf = (animation: Animation): number => Number(animation.effect?.getComputedTiming().endTime ?? 0)

/** The longest finite length in the page, in seconds; `infinite` if there are only endless ones. */
export const findLength = (page: LengthParts): { duration: number | null; infinite: boolean } => {
  const { timelines, adapters, animations, windows } = page
  const lengths = [
    ...timelines.list().map(({ composition, timeline }) => {
      const { start, end } = windows.windowOf(composition)
      return Math.min(start + (timelineSeconds(timeline) ?? 0), end)
    }),
    ...[...animations.playbacks].map(([animation, { origin = 0, element }]) =>
      Math.min((origin + endOf(animation)) / 1000, windows.windowOf(element).end),
    ),
    adapters.length(windows.windowOf) ?? 0,
  ]
  const clips: number[] = []
  for (const [element, window] of windows.of) {
    const end = Math.min(window.end, windows.windowOf(parentOf(element)).end)
    if (end === Infinity) continue
    const isSource = element instanceof HTMLMediaElement || element.matches(COMPOSITIONS)
    ;(isSource ? lengths : clips).push(end)
  }
  const finite = (values: number[]) => Math.max(0, ...values.filter((value) => Number.isFinite(value)))
  const duration = finite(lengths) || finite(clips)
  return duration ? { duration, infinite: false } : { duration: null, infinite: lengths.includes(Infinity) }
}
