import { nativeAccessor, natives, type Realm } from '../realm/natives.ts'
import type { AnimationPlayback } from './animation-playback.ts'

/** Dispatches the events of animations at the clock's times, in place of the browser. */
export interface AnimationEvents {
  /**
   * Stops the browser's events, which follow real time; `onStart` is called once for all animations that start
   * together.
   */
  install(realm: Realm, onStart: () => void): void
  adopted(playback: AnimationPlayback): void
  moved(playback: AnimationPlayback, localMs: number, timing: ComputedEffectTiming): void
  /** Dispatches the queued events; returns how many. */
  flush(): number
}

const ELEMENT_EVENTS = [
  'animationstart',
  'animationiteration',
  'animationend',
  'animationcancel',
  'transitionrun',
  'transitionstart',
  'transitionend',
  'transitioncancel',
]

const timelineTime = nativeAccessor(AnimationTimeline.prototype, 'currentTime')

const stopTrusted = (event: Event) => {
  if (event.isTrusted) event.stopImmediatePropagation()
}

/** The event of a CSS animation or a transition; undefined for one that a script has made. */
const eventOf = (animation: Animation, kind: string, elapsedMs: number): Event | undefined => {
  const effect = animation.effect as KeyframeEffect | null
  const common = { bubbles: true, elapsedTime: elapsedMs / 1000, pseudoElement: effect?.pseudoElement ?? '' }
  if ('animationName' in animation)
    return new AnimationEvent(`animation${kind}`, { ...common, animationName: String(animation.animationName) })
  return 'transitionProperty' in animation
    ? new TransitionEvent(`transition${kind}`, { ...common, propertyName: String(animation.transitionProperty) })
    : undefined
}

/** Creates an empty queue of events. */
export const createAnimationEvents = (): AnimationEvents => {
  let queue: (() => void)[] = []

  const enqueue = ({ animation, element }: AnimationPlayback, kind: string, elapsedMs: number) => {
    const event = element && eventOf(animation, kind, elapsedMs)
    if (event) queue.push(() => natives.dispatch.call(element, event))
  }

  return {
    install(realm, onStart) {
      // The browser's time is constant while it dispatches the starts of one frame.
      let startedAt: unknown
      const started = () => {
        const now = timelineTime.get.call(realm.document.timeline)
        if (now === startedAt) return
        startedAt = now
        onStart()
      }
      for (const type of ELEMENT_EVENTS)
        natives.listen.call(
          realm,
          type,
          (event) => {
            if (event.isTrusted && /start|run/.test(type)) started()
            stopTrusted(event)
          },
          true,
        )
    },
    adopted(playback) {
      natives.listen.call(playback.animation, 'finish', stopTrusted)
      if ('transitionProperty' in playback.animation) enqueue(playback, 'run', 0)
    },
    moved(playback, localMs, timing) {
      const { delay = 0, endDelay = 0 } = timing
      const active = Number(timing.endTime) - delay - endDelay
      const phase = localMs < delay ? 'before' : localMs >= delay + active ? 'after' : 'active'
      const length = Number(timing.duration ?? 0)
      const iteration = phase === 'active' && length > 0 ? Math.floor((localMs - delay) / length) : 0
      const { seen } = playback
      playback.seen = { phase, iteration }
      if (seen.phase === 'before' && phase !== 'before') enqueue(playback, 'start', Math.max(0, -delay))
      if (phase === 'active' && seen.phase === 'active' && iteration !== seen.iteration)
        if ('animationName' in playback.animation) enqueue(playback, 'iteration', iteration * length)
      if (phase === 'after' && seen.phase !== 'after') enqueue(playback, 'end', active)
      if (!playback.done) return
      const { animation } = playback
      const finish = new AnimationPlaybackEvent('finish', { currentTime: localMs })
      queue.push(() => natives.dispatch.call(animation, finish))
    },
    flush() {
      const due = queue
      queue = []
      for (const send of due) send()
      return due.length
    },
  }
}
