import type { Clock } from '../clock/clock.ts'
import { nativeAccessor, natives } from '../realm/natives.ts'
import { isSkipped } from './skipped.ts'

/** A CSS animation, transition or script animation, and the relation of its time to the clock. */
export interface AnimationPlayback {
  readonly animation: Animation
  readonly element: Element | null
  /** Clock time at which `base` holds, ms; undefined until the page begins. */
  origin: number | undefined
  /** The animation's own time at `origin`, ms. */
  base: number
  rate: number
  paused: boolean
  /** The animation's own time that was written last, ms. */
  written: number
  done: boolean
  /** Whether it begins only when its element is shown: a browser computes no styles in content that it skips. */
  unseen: boolean
  /** True once a script has played or paused it: from then on `animation-play-state` has no effect. */
  scripted: boolean
  /** The phase and iteration that events were last dispatched for. */
  seen: { phase: 'before' | 'active' | 'after'; iteration: number }
}

const time = nativeAccessor(Animation.prototype, 'currentTime')
const rate = nativeAccessor(Animation.prototype, 'playbackRate')
const state = nativeAccessor(Animation.prototype, 'playState')

/** The browser's play state: always `paused` for animations on the clock. */
export const nativeState = (animation: Animation): AnimationPlayState => state.get.call(animation) as AnimationPlayState

/** The timing of the effect, in ms of the animation's own time. */
export const timingOf = ({ animation }: AnimationPlayback): ComputedEffectTiming =>
  animation.effect?.getComputedTiming() ?? { endTime: 0 }

/** The end of the effect, in ms of the animation's own time; may be Infinity. */
export const endOf = (playback: AnimationPlayback): number => Number(timingOf(playback).endTime)

/** The animation's own time at a time of the clock, both in ms. */
export const localOf = ({ paused, origin, base, rate }: AnimationPlayback, timeMs: number): number =>
  paused || origin === undefined ? base : base + (timeMs - origin) * rate

/** Shows the effect at a time of the animation. */
export const writeTime = (playback: AnimationPlayback, localMs: number): void => {
  playback.written = localMs
  time.set.call(playback.animation, localMs)
}

/** Sets direction and speed, also for the browser, which must know where the end is. */
export const writeRate = (playback: AnimationPlayback, value: number): void => {
  playback.rate = value
  rate.set.call(playback.animation, value)
}

/** Shows the effects of those that run at a time of the clock; reads all animations before it writes any. */
export const advanceAll = (playbacks: Iterable<AnimationPlayback>, timeMs: number): void => {
  const running = [...playbacks].filter(
    (playback) => !(playback.done || playback.paused || playback.unseen) && nativeState(playback.animation) !== 'idle',
  )
  for (const playback of running) writeTime(playback, localOf(playback, timeMs))
}

/** Makes a playback continue from a time of the animation, now. */
export const rebase = (playback: AnimationPlayback, localMs: number, clock: Clock): void => {
  playback.base = localMs
  playback.done = false
  if (clock.started) playback.origin = clock.nowMs
  natives.animation.pause.call(playback.animation)
  writeTime(playback, localMs)
}

/** Creates the playback of an animation, which stays at its beginning until the page begins. */
export const createAnimationPlayback = (
  animation: Animation,
  clock: Clock,
  startOf: (element: Element) => number,
): AnimationPlayback => {
  const effect = animation.effect
  const element = effect && 'target' in effect ? (effect.target as Element | null) : null
  const start = element && clock.started ? startOf(element) : 0
  const playback: AnimationPlayback = {
    animation,
    element,
    origin: clock.started ? Math.max(clock.nowMs, start) : undefined,
    base: 0,
    written: 0,
    rate: animation.playbackRate,
    paused: nativeState(animation) === 'paused' && !('animationName' in animation),
    done: false,
    unseen: element !== null && 'animationName' in animation && isSkipped(element),
    scripted: false,
    seen: { phase: 'before', iteration: 0 },
  }
  if (playback.rate < 0) playback.base = endOf(playback)
  natives.animation.pause.call(animation)
  writeTime(playback, playback.base)
  return playback
}

/** Begins an animation whose element was in skipped content until now; returns whether it still is. */
export const isUnseen = (playback: AnimationPlayback, timeMs: number): boolean => {
  if (!playback.unseen || !playback.element) return false
  playback.unseen = isSkipped(playback.element)
  playback.origin = timeMs
  return playback.unseen
}

/** Whether the page's styles pause a CSS animation. */
export const isPausedByStyle = ({ animation, element, scripted }: AnimationPlayback): boolean => {
  if (!element || scripted || !('animationName' in animation)) return false
  const effect = animation.effect as KeyframeEffect
  const style = natives.getComputedStyle(element, effect.pseudoElement)
  const states = style.animationPlayState.split(', ')
  const index = style.animationName.split(', ').indexOf(String(animation.animationName))
  return states[Math.max(0, index) % states.length] === 'paused'
}

/** Applies a play state that styles have changed at a time of the clock. */
export const followStyle = (playback: AnimationPlayback, timeMs: number): void => {
  if (playback.done || playback.scripted || !('animationName' in playback.animation)) return
  const paused = isPausedByStyle(playback)
  if (paused === playback.paused) return
  playback.base = localOf(playback, timeMs)
  playback.origin = timeMs
  playback.paused = paused
}
