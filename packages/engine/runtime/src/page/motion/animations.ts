import type { Clock } from '../clock/clock.ts'
import { anchorOf, hostOf } from '../document/anchor.ts'
import { nameOf } from '../document/element-name.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createRealms } from '../realm/realms.ts'
import { type AnimationEvents, createAnimationEvents } from './animation-events.ts'
import { installMethods } from './animation-methods.ts'
import {
  type AnimationPlayback,
  advanceAll,
  createAnimationPlayback,
  followStyle,
  isPausedByStyle,
  isUnseen,
  localOf,
  nativeState,
  timingOf,
  writeTime,
} from './animation-playback.ts'
import { createMarkupChanges } from './markup-changes.ts'
import { repeatMarquee } from './marquee.ts'
import { isStyleOverride } from './style-override.ts'

/** The animations that `getAnimations()` lists, on the clock. */
export interface Animations {
  install(realm: Realm): void
  /** Takes over the animations that run, of many only after a change of the markup: the first frame finds the others. */
  discover(): void
  /** Starts the animations that the page has built so far; `release` lets the page's own play states apply. */
  begin(release: () => void): void
  /** A description of an animation's element, if the animation should follow the clock but does not. */
  unfollowed(animation: Animation): string | undefined
  /**
   * Sets the known animations to the time of a frame, before scripts change styles on the way there: a transition that these
   * start begins where an animation has taken the element by then.
   */
  advance(timeMs: number): void
  /** Sets every animation to a time, after all have been read; returns how many events were dispatched. */
  sync(timeMs: number): number
  /** Whether animations may start from now on while the page's markup stays as it is; at first, any may. */
  expect(starts: 'any' | 'none'): void
  /** The timelines of the animations that were found last. */
  timelines(): ReadonlySet<AnimationTimeline>
  /** Whether an animation or a transition has started since the page began. */
  hasStarted(): boolean
  readonly playbacks: ReadonlyMap<Animation, AnimationPlayback>
}

/**
 * Number of animations from which they are listed again only where one may have started: the browser sorts a list by the
 * places of the elements, which takes seconds for thousands, and no time for a few.
 */
const MANY = 200

/**
 * Follows the animations of all windows, also finished ones that `getAnimations()` no longer lists; `windowStartOf`
 * returns when the timed element around an element of the document starts, in ms.
 */
export const createAnimations = (
  clock: Clock,
  windowStartOf: (element: Element) => number,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): Animations => {
  const startOf = (element: Element) => windowStartOf(anchorOf(element))
  const playbacks = new Map<Animation, AnimationPlayback>()
  let hasStarted = false
  let timelines = new Set<AnimationTimeline>()
  let startsNone = false
  const hasChanged = createMarkupChanges()
  const realms = createRealms()
  const events: AnimationEvents = createAnimationEvents()

  const adopt = (animation: Animation): AnimationPlayback => {
    const existing = playbacks.get(animation)
    if (existing) return existing
    repeatMarquee(animation)
    const playback = createAnimationPlayback(animation, clock, startOf)
    playbacks.set(animation, playback)
    hasStarted ||= clock.started
    events.adopted(playback)
    return playback
  }

  const finish = (playback: AnimationPlayback, timing = timingOf(playback)) => {
    natives.animation.finish.call(playback.animation)
    playback.done = true
    events.moved(playback, playback.rate < 0 ? 0 : Number(timing.endTime), timing)
  }

  const follow = (playback: AnimationPlayback, timeMs: number) => {
    if (playback.done || isUnseen(playback, timeMs)) return
    const local = localOf(playback, timeMs)
    const timing = timingOf(playback)
    const isOver = playback.rate < 0 ? local <= 0 : playback.rate > 0 && local >= Number(timing.endTime)
    if (isOver && !playback.paused) return finish(playback, timing)
    if (local !== playback.written) writeTime(playback, local)
    events.moved(playback, local, timing)
  }

  /** The animations on the time of a document that the page can reach. */
  const listed = (): Animation[] => {
    timelines = new Set()
    return [...realms].flatMap((realm) =>
      treesOf(realm)
        .flatMap((tree) => tree.getAnimations())
        .filter(({ timeline }) => {
          if (timeline) timelines.add(timeline)
          return timeline instanceof realm.DocumentTimeline
        }),
    )
  }
  const discover = () => {
    for (const animation of listed()) adopt(animation)
  }
  const discoverChanged = () => {
    if (playbacks.size < MANY || hasChanged([...realms].flatMap(treesOf))) discover()
  }

  return {
    playbacks,
    hasStarted: () => hasStarted,
    timelines: () => timelines,
    expect(starts) {
      startsNone = starts === 'none'
    },
    discover: discoverChanged,
    install(realm) {
      realms.add(realm)
      const find = (animation: Animation) => playbacks.get(animation)
      const forget = (animation: Animation) => playbacks.delete(animation)
      installMethods(realm, { clock, adopt, find, forget, finish })
      events.install(realm, () => {
        if (!clock.started) discoverChanged()
      })
    },
    begin(release) {
      discoverChanged()
      release()
      for (const playback of playbacks.values()) {
        playback.origin = playback.element ? startOf(playback.element) : 0
        playback.paused ||= isPausedByStyle(playback)
      }
    },
    unfollowed(animation) {
      if (playbacks.has(animation) || isStyleOverride(animation)) return undefined
      // A transition that drawing the frame has started is at its start, and is followed from the next frame on. Listing them
      // computes styles, which may end it.
      if (listed().includes(animation) || animation.replaceState !== 'active') return undefined
      if (/idle|finished/.test(nativeState(animation))) return undefined
      const { target } = animation.effect as KeyframeEffect
      return target ? nameOf(hostOf(target)) : undefined
    },
    advance: (timeMs) => advanceAll(playbacks.values(), timeMs),
    sync(timeMs) {
      if (startsNone) discoverChanged()
      else discover()
      for (const [animation, playback] of playbacks) {
        if (nativeState(animation) === 'idle') playbacks.delete(animation)
        else followStyle(playback, timeMs)
      }
      for (const playback of playbacks.values()) follow(playback, timeMs)
      return events.flush()
    },
  }
}
