import type { PlayerMotion } from '../../contract/player.ts'
import { type GsapAnimation, isGsap } from '../libraries/gsap.ts'
import { timelineSeconds } from '../libraries/timelines.ts'
import type { Page } from '../page.ts'
import { kindSelector } from './selector.ts'

/** Limit on listed motions, since a page may animate each letter of a long text. */
const MAX_MOTIONS = 2000

const finite = (seconds: number): number | null => (Number.isFinite(seconds) ? seconds : null)

/** Settings of a tween that are not properties of its target. */
const TWEEN_SETTINGS = new Set(
  'duration delay ease easeEach repeat repeatDelay repeatRefresh yoyo yoyoEase stagger id data paused overwrite immediateRender lazy inherit runBackwards startAt keyframes parent callbackScope defaults autoRevert onStart onUpdate onComplete onRepeat onReverseComplete onInterrupt onStartParams onUpdateParams onCompleteParams'.split(
    ' ',
  ),
)

/** The properties that a tween changes, those of its keyframes included. */
const tweenedProperties = (vars: Readonly<Record<string, unknown>>): string[] => {
  const frames = [vars.keyframes ?? []].flat()
  const all = [vars, ...frames].flatMap((each) => (each instanceof Object ? Object.keys(each) : []))
  return [...new Set(all)].filter((name) => !TWEEN_SETTINGS.has(name) && !name.endsWith('%'))
}

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
  return [...new Set(elements.map(kindSelector))].map((target) => ({
    target,
    kind: 'gsap',
    name: 'GSAP',
    properties: tweenedProperties(animation.vars),
    start: toWhole(0),
    end: finite(toWhole(total)),
  }))
}

const readTimelines = ({ timelines, windows }: Page): PlayerMotion[] => {
  const { windowOf } = windows()
  return timelines.list().flatMap(({ key, timeline, composition }) => {
    const { start } = windowOf(composition)
    if (isGsap(timeline)) return readGsap(timeline, (seconds) => start + seconds)
    return [
      {
        target: key,
        kind: 'timeline',
        name: 'timeline',
        properties: [],
        start,
        end: finite(start + (timelineSeconds(timeline) ?? 0)),
      },
    ]
  })
}

const nameOfAnimation = (animation: Animation): string => {
  if ('animationName' in animation) return String(animation.animationName)
  return 'transitionProperty' in animation ? `transition ${String(animation.transitionProperty)}` : 'animate()'
}

/** Fields of a keyframe besides its properties. */
const KEYFRAME_FACTS = new Set(['offset', 'computedOffset', 'easing', 'composite'])

const keyframeProperties = (effect: KeyframeEffect): string[] => {
  const names = effect.getKeyframes().flatMap((keyframe) => Object.keys(keyframe))
  return [...new Set(names)].filter((name) => !KEYFRAME_FACTS.has(name))
}

const readAnimations = ({ animations }: Page): PlayerMotion[] =>
  [...animations.playbacks].flatMap(([animation, { element, origin = 0, rate }]): PlayerMotion[] => {
    const timing = animation.effect?.getComputedTiming()
    if (!element || !timing || rate <= 0) return []
    const start = (origin + Number(timing.delay ?? 0) / rate) / 1000
    const length = Number(timing.activeDuration ?? 0) / rate / 1000
    const name = nameOfAnimation(animation)
    if (length <= 0) return []
    const properties = animation.effect instanceof KeyframeEffect ? keyframeProperties(animation.effect) : []
    const kind = name === 'animate()' ? 'waapi' : 'css'
    return [
      { target: kindSelector(element), kind, name, properties, start: Math.max(0, start), end: finite(start + length) },
    ]
  })

/** The animations of libraries that play on their own, from the start of the timed element around them. */
const readFollowers = ({ adapters, windows }: Page): PlayerMotion[] => {
  const { windowOf } = windows()
  return adapters.list().flatMap((follower): PlayerMotion[] => {
    const { name, element, parts } = follower
    const kind = name === 'anime' || name === 'lottie' ? name : 'timeline'
    const { start } = windowOf(element ?? null)
    const seconds = Number(typeof follower.duration === 'function' ? follower.duration() : follower.duration)
    const whole = { targets: element ? [element] : [], properties: [], start: 0, end: seconds }
    return (parts?.() ?? [whole]).flatMap((part) => {
      const targets = part.targets.length > 0 ? part.targets.map(kindSelector) : [name ?? 'adapter']
      return [...new Set(targets)].map((target) => ({
        target,
        kind,
        name: name ?? 'adapter',
        properties: [...part.properties],
        start: start + part.start,
        end: finite(start + part.end),
      }))
    })
  })
}

/** Automatic motions of elements: animations of styles, scripts and libraries, in order of time. */
export const readMotions = (page: Page): readonly PlayerMotion[] =>
  [...readAnimations(page), ...readTimelines(page), ...readFollowers(page)]
    .filter(({ start, end }) => end === null || end > start)
    .sort((one, other) => one.start - other.start)
    .slice(0, MAX_MOTIONS)
