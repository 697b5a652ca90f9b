import { type Clock, shownMs } from '../clock/clock.ts'
import { seenAt } from '../clock/origin.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { type AnimationPlayback, endOf, localOf, nativeState, rebase, writeRate } from './animation-playback.ts'

/** The playbacks that the methods act on. */
export interface PlaybackRegistry {
  readonly clock: Clock
  adopt(animation: Animation): AnimationPlayback
  find(animation: Animation): AnimationPlayback | undefined
  forget(animation: Animation): void
  finish(playback: AnimationPlayback): void
}

/** Makes method calls of scripts on animations act on the clock. */
export const installMethods = (realm: Realm, registry: PlaybackRegistry): void => {
  const { clock, adopt } = registry
  const proto = realm.Animation.prototype
  const touch = (animation: Animation): [AnimationPlayback, number] => {
    const playback = adopt(animation)
    return [playback, localOf(playback, clock.nowMs)]
  }
  const go = (playback: AnimationPlayback, local: number) => {
    const start = playback.rate < 0 ? endOf(playback) : 0
    const isOver = playback.rate < 0 ? local <= 0 : local >= endOf(playback)
    playback.paused = false
    playback.scripted = true
    rebase(playback, isOver ? start : local, clock)
  }

  replaceMethod(proto, 'play', function (this: Animation) {
    go(...touch(this))
  })
  replaceMethod(proto, 'pause', function (this: Animation) {
    const [playback, local] = touch(this)
    rebase(playback, local, clock)
    playback.paused = true
    playback.scripted = true
  })
  replaceMethod(proto, 'reverse', function (this: Animation) {
    const [playback, local] = touch(this)
    const time = Math.min(local, endOf(playback))
    writeRate(playback, -playback.rate)
    go(playback, time)
  })
  replaceMethod(proto, 'cancel', function (this: Animation) {
    registry.forget(this)
    natives.animation.cancel.call(this)
  })
  replaceMethod(proto, 'finish', function (this: Animation) {
    registry.finish(adopt(this))
  })
  const setRate = (animation: Animation, value: number) => {
    const [playback, local] = touch(animation)
    rebase(playback, local, clock)
    writeRate(playback, value)
  }
  replaceMethod(proto, 'updatePlaybackRate', function (this: Animation, value) {
    setRate(this, value)
  })
  replaceAccessor(proto, 'playbackRate', {
    set(this: Animation, value: number) {
      setRate(this, value)
    },
  })
  replaceAccessor(proto, 'currentTime', {
    set(this: Animation, local: number | null) {
      if (local === null) this.cancel()
      else rebase(adopt(this), Number(local), clock)
    },
  })
  replaceAccessor(proto, 'startTime', {
    get(this: Animation) {
      const { origin = 0, base, rate, paused } = adopt(this)
      return paused ? null : seenAt(origin) - base / rate
    },
    set(this: Animation, start: number | null) {
      const [playback, local] = touch(this)
      rebase(playback, start === null ? local : (shownMs(clock) - Number(start)) * playback.rate, clock)
      playback.paused = start === null
      playback.scripted = true
    },
  })
  replaceAccessor(proto, 'playState', {
    get(this: Animation) {
      const native = nativeState(this)
      const playback = registry.find(this)
      return playback && !playback.paused && native === 'paused' ? 'running' : native
    },
  })
  const { animate } = realm.Element.prototype
  replaceMethod(realm.Element.prototype, 'animate', function (this: Element, keyframes, options) {
    const animation = animate.call(this, keyframes, options)
    if (animation.timeline instanceof realm.DocumentTimeline) adopt(animation)
    return animation
  })
}
