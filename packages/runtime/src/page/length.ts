import type { Adapters } from './adapters.ts'
import type { Animations } from './animations.ts'
import type { Timelines } from './timelines.ts'
import type { TimeWindows } from './windows.ts'

/** What may say how long a page is. */
export interface LengthSources {
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly windows: TimeWindows
}

const endOf = (animation: Animation): number => Number(animation.effect?.getComputedTiming().endTime ?? 0)

/** The longest finite length, in seconds, of what the page contains; `infinite` when only endless things would say. */
export const findLength = (page: LengthSources): { duration: number | null; infinite: boolean } => {
  const { timelines, adapters, animations, windows } = page
  const startOf = (element: Element) => windows.of.get(element)?.start ?? 0
  const lengths = [
    ...timelines.list().map(({ key, composition }) => {
      const length = timelines.lengthOf(key)
      return length === undefined ? 0 : (composition ? startOf(composition) : 0) + length
    }),
    ...[...animations.playbacks].map(([animation, { origin = 0 }]) => (origin + endOf(animation)) / 1000),
    adapters.length(startOf) ?? 0,
  ]
  const clips: number[] = []
  for (const [element, { end }] of windows.of)
    if (end === Infinity) continue
    else if (element instanceof HTMLMediaElement || element.hasAttribute('data-composition-id'))
      lengths.push(end)
    else clips.push(end)
  const finite = (values: number[]) => Math.max(0, ...values.filter((value) => Number.isFinite(value)))
  const duration = finite(lengths) || finite(clips)
  return duration ? { duration, infinite: false } : { duration: null, infinite: lengths.includes(Infinity) }
}
