import type { PlayerMotion } from '../../contract/player.ts'
import { type GsapAnimation, isGsap } from '../libraries/gsap.ts'
import { lengthOf } from '../libraries/timelines.ts'
import type { Page } from '../page.ts'

/** More are not listed: a page may animate each letter of a long text. */
const MAX_MOTIONS = 2000

/** An element as a selector would write it, so that those of one kind share a name. */
const selectorOf = (element: Element): string => {
  const [first] = element.classList
  if (element.id) return `#${element.id}`
  return first === undefined ? element.localName : `.${first}`
}

const finite = (seconds: number): number | null => (Number.isFinite(seconds) ? seconds : null)

/** The tweens below a GSAP timeline, or the tween itself; times are seconds of what `toWhole` maps from. */
const readGsap = (animation: GsapAnimation, toWhole: (seconds: number) => number): PlayerMotion[] => {
  const children = animation.getChildren?.(false, true, true)
  if (children)
    return children.flatMap((child) => {
      const start = child.startTime?.() ?? 0
      const scale = child.timeScale?.() || 1
      return readGsap(child, (seconds) => toWhole(start + seconds / scale))
    })
  const total = animation.totalDuration()
  // A tween without a length only sets values.
  if (total <= 0.002) return []
  const elements = (animation.targets?.() ?? []).filter((target) => target instanceof Element)
  return [...new Set(elements.map(selectorOf))].map((target) => ({
    target,
    name: 'GSAP',
    start: toWhole(0),
    end: finite(toWhole(total)),
  }))
}

const readTimelines = ({ timelines, windows }: Page): PlayerMotion[] => {
  const { windowOf } = windows()
  return timelines.list().flatMap(({ key, timeline, composition }) => {
    const { start } = windowOf(composition)
    if (isGsap(timeline)) return readGsap(timeline, (seconds) => start + seconds)
    return [{ target: key, name: 'timeline', start, end: finite(start + (lengthOf(timeline) ?? 0)) }]
  })
}

const readAnimations = ({ animations }: Page): PlayerMotion[] =>
  [...animations.playbacks].flatMap(([animation, { element, origin = 0, rate }]): PlayerMotion[] => {
    const timing = animation.effect?.getComputedTiming()
    if (!element || !timing || rate <= 0) return []
    const start = (origin + Number(timing.delay ?? 0) / rate) / 1000
    const length = Number(timing.activeDuration ?? 0) / rate / 1000
    const name = 'animationName' in animation ? String(animation.animationName) : 'animate()'
    return length > 0
      ? [{ target: selectorOf(element), name, start: Math.max(0, start), end: finite(start + length) }]
      : []
  })

/** What moves elements by itself: CSS and script animations, and the tweens of registered timelines, in order of time. */
export const readMotions = (page: Page): readonly PlayerMotion[] =>
  [...readAnimations(page), ...readTimelines(page)]
    .filter(({ start, end }) => end === null || end > start)
    .sort((one, other) => one.start - other.start)
    .slice(0, MAX_MOTIONS)
