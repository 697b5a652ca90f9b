import { type AnimationEvents, createAnimationEvents } from './animation-events.ts'
import type { Clock } from './clock.ts'
import { nativeAccessor, natives, type Realm, replaceAccessor, replaceMethod } from './natives.ts'

/** One CSS animation, transition or script animation, and how its time follows the clock. */
export interface Playback {
  readonly animation: Animation
  readonly element: Element | null
  /** Clock time at which `base` holds, ms; undefined until the page begins. */
  origin: number | undefined
  /** The animation's own time at `origin`, ms. */
  base: number
  rate: number
  held: boolean
  done: boolean
  /** The last thing the page was told about: its phase and iteration. */
  seen: { phase: 'before' | 'active' | 'after'; iteration: number }
}

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

const time = nativeAccessor(Animation.prototype, 'currentTime')
const state = nativeAccessor(Animation.prototype, 'playState')

/** Follows the animations of all windows, `startOf` giving an element's timed start in ms; it keeps finished ones that `getAnimations()` no longer lists. */
export const createAnimations = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => DocumentOrShadowRoot[],
): Animations => {
  const playbacks = new Map<Animation, Playback>()
  const realms = new Set<Realm>()
  const events: AnimationEvents = createAnimationEvents()

  const endOf = ({ animation }: Playback) => Number(animation.effect?.getComputedTiming().endTime ?? 0)
  const localOf = (playback: Playback, timeMs: number) =>
    playback.held || playback.origin === undefined
      ? playback.base
      : playback.base + (timeMs - playback.origin) * playback.rate

  const adopt = (animation: Animation): Playback => {
    const known = playbacks.get(animation)
    if (known) return known
    const effect = animation.effect
    const element = effect && 'target' in effect ? (effect.target as Element | null) : null
    const start = element && clock.started ? startOf(element) : 0
    const playback: Playback = {
      animation,
      element,
      origin: clock.started ? Math.max(clock.nowMs, start) : undefined,
      base: 0,
      rate: animation.playbackRate,
      held: state.get.call(animation) === 'paused' && !('animationName' in animation),
      done: false,
      seen: { phase: 'before', iteration: 0 },
    }
    if (playback.rate < 0) playback.base = endOf(playback)
    playbacks.set(animation, playback)
    natives.animation.pause.call(animation)
    write(playback, playback.base)
    events.adopted(playback)
    return playback
  }

  const write = ({ animation }: Playback, local: number) => time.set.call(animation, local)

  /** Makes a playback go on from an own time, now. */
  const rebase = (playback: Playback, local: number) => {
    playback.base = local
    playback.done = false
    if (clock.started) playback.origin = clock.nowMs
    natives.animation.pause.call(playback.animation)
    write(playback, local)
  }

  const isHeldByStyle = ({ animation, element }: Playback): boolean => {
    if (!element || !('animationName' in animation)) return false
    const effect = animation.effect as KeyframeEffect
    const style = getComputedStyle(element, effect.pseudoElement)
    const states = style.animationPlayState.split(', ')
    const index = style.animationName.split(', ').indexOf(String(animation.animationName))
    return states[Math.max(0, index) % states.length] === 'paused'
  }

  const follow = (playback: Playback, timeMs: number) => {
    if (playback.done) return
    const held = 'animationName' in playback.animation ? isHeldByStyle(playback) : playback.held
    if (held !== playback.held) {
      playback.base = localOf(playback, timeMs)
      playback.origin = timeMs
      playback.held = held
    }
    const local = localOf(playback, timeMs)
    const end = endOf(playback)
    playback.done = !playback.held && (playback.rate > 0 ? local >= end : playback.rate < 0 && local <= 0)
    if (playback.done && Number.isFinite(end)) natives.animation.finish.call(playback.animation)
    else write(playback, local)
    events.moved(playback, Math.min(local, end))
  }

  const discover = () => {
    for (const realm of realms) {
      if (realm.closed) realms.delete(realm)
      else
        for (const animation of treesOf(realm).flatMap((tree) => tree.getAnimations()))
          if (animation.timeline instanceof realm.DocumentTimeline) adopt(animation)
    }
  }

  const installPlayback = (proto: Animation, realm: Realm) => {
    replaceMethod(proto, 'play', function (this: Animation) {
      const playback = adopt(this)
      const local = localOf(playback, clock.nowMs)
      playback.held = false
      rebase(playback, playback.done ? (playback.rate < 0 ? endOf(playback) : 0) : local)
    })
    replaceMethod(proto, 'pause', function (this: Animation) {
      const playback = adopt(this)
      rebase(playback, localOf(playback, clock.nowMs))
      playback.held = true
    })
    replaceMethod(proto, 'reverse', function (this: Animation) {
      const playback = adopt(this)
      const local = playback.done ? endOf(playback) : localOf(playback, clock.nowMs)
      playback.rate = -playback.rate
      playback.held = false
      rebase(playback, playback.rate < 0 && local <= 0 ? endOf(playback) : local)
    })
    replaceMethod(proto, 'cancel', function (this: Animation) {
      playbacks.delete(this)
      natives.animation.cancel.call(this)
    })
    replaceMethod(proto, 'finish', function (this: Animation) {
      const playback = adopt(this)
      natives.animation.finish.call(this)
      playback.done = true
      events.moved(playback, endOf(playback))
    })
    const setRate = (animation: Animation, rate: number) => {
      const playback = adopt(animation)
      rebase(playback, localOf(playback, clock.nowMs))
      playback.rate = rate
    }
    replaceMethod(proto, 'updatePlaybackRate', function (this: Animation, rate) {
      setRate(this, rate)
    })
    replaceAccessor(proto, 'playbackRate', {
      get(this: Animation) {
        return playbacks.get(this)?.rate ?? 1
      },
      set(this: Animation, rate: number) {
        setRate(this, rate)
      },
    })
    replaceAccessor(proto, 'currentTime', {
      set(this: Animation, local: number | null) {
        if (local === null) return this.cancel()
        rebase(adopt(this), Number(local))
      },
    })
    replaceAccessor(proto, 'playState', {
      get(this: Animation) {
        const native = state.get.call(this)
        const playback = playbacks.get(this)
        return playback && !playback.held && native === 'paused' ? 'running' : native
      },
    })
    const { animate } = realm.Element.prototype
    replaceMethod(realm.Element.prototype, 'animate', function (this: Element, keyframes, options) {
      const animation = animate.call(this, keyframes, options)
      adopt(animation)
      return animation
    })
  }

  return {
    playbacks,
    discover,
    install(realm) {
      realms.add(realm)
      installPlayback(realm.Animation.prototype, realm)
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
        if (state.get.call(animation) === 'idle') playbacks.delete(animation)
        else follow(playback, timeMs)
      }
      return events.flush()
    },
  }
}
