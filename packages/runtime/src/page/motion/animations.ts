import type { Clock } from '../clock/clock.ts'
import { natives, type Realm } from '../natives.ts'
import { type AnimationEvents, createAnimationEvents } from './animation-events.ts'
import { installMethods } from './animation-methods.ts'
import {
  createPlayback,
  isHeldByStyle,
  localOf,
  nativeState,
  type Playback,
  timingOf,
  writeTime,
} from './animation-playback.ts'

/** Everything that `getAnimations()` knows, on the clock. */
export interface Animations {
  install(realm: Realm): void
  /** Takes hold of what runs by now. */
  discover(): void
  /** Starts the clock of what the page has built so far; `release` lets the page's own play states through. */
  begin(release: () => void): void
  /** Sets every animation to a time; returns how many events it told the page about. */
  sync(timeMs: number): number
  readonly playbacks: ReadonlyMap<Animation, Playback>
}

/** Follows the animations of all windows, `startOf` giving an element's timed start in ms; it keeps finished ones that `getAnimations()` no longer lists. */
export const createAnimations = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => DocumentOrShadowRoot[],
): Animations => {
  const playbacks = new Map<Animation, Playback>()
  const realms = new Set<Realm>()
  const events: AnimationEvents = createAnimationEvents()

  const adopt = (animation: Animation): Playback => {
    const known = playbacks.get(animation)
    if (known) return known
    const playback = createPlayback(animation, clock, startOf)
    playbacks.set(animation, playback)
    events.adopted(playback)
    return playback
  }

  const finish = (playback: Playback, timing = timingOf(playback)) => {
    natives.animation.finish.call(playback.animation)
    playback.done = true
    events.moved(playback, playback.rate < 0 ? 0 : Number(timing.endTime), timing)
  }

  /** Notes what styles have paused or let go since; read for all before anything is written. */
  const followStyle = (playback: Playback, timeMs: number) => {
    if (playback.done || playback.scripted || !('animationName' in playback.animation)) return
    const held = isHeldByStyle(playback)
    if (held === playback.held) return
    playback.base = localOf(playback, timeMs)
    playback.origin = timeMs
    playback.held = held
  }

  const follow = (playback: Playback, timeMs: number) => {
    if (playback.done) return
    const local = localOf(playback, timeMs)
    const timing = timingOf(playback)
    const isOver = playback.rate < 0 ? local <= 0 : playback.rate > 0 && local >= Number(timing.endTime)
    if (isOver && !playback.held) return finish(playback, timing)
    writeTime(playback, local)
    events.moved(playback, local, timing)
  }

  const discover = () => {
    for (const realm of realms) {
      if (realm.closed) realms.delete(realm)
      else
        for (const animation of treesOf(realm).flatMap((tree) => tree.getAnimations()))
          if (animation.timeline instanceof realm.DocumentTimeline) adopt(animation)
    }
  }

  return {
    playbacks,
    discover,
    install(realm) {
      realms.add(realm)
      const find = (animation: Animation) => playbacks.get(animation)
      const forget = (animation: Animation) => playbacks.delete(animation)
      installMethods(realm, { clock, adopt, find, forget, finish })
      events.install(realm, () => {
        if (!clock.started) discover()
      })
    },
    begin(release) {
      discover()
      release()
      for (const playback of playbacks.values()) {
        playback.origin = playback.element ? startOf(playback.element) : 0
        playback.held ||= isHeldByStyle(playback)
      }
    },
    sync(timeMs) {
      discover()
      for (const [animation, playback] of playbacks) {
        if (nativeState(animation) === 'idle') playbacks.delete(animation)
        else followStyle(playback, timeMs)
      }
      for (const playback of playbacks.values()) follow(playback, timeMs)
      return events.flush()
    },
  }
}
