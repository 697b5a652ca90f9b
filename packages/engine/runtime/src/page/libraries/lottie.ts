import type { Follower, FollowerSource } from './follower.ts'
import { type LottieRun, lengthOfRun, lottieFrameAt } from './lottie-frame.ts'
import { type LottieAnimation, lottieOf } from './lottie-library.ts'
import { type LottieParts, watchLottieLoading } from './lottie-loading.ts'
import { watchMethods } from './method-watch.ts'

const CONTROLS = ['play', 'pause', 'stop', 'togglePause', 'goToAndStop', 'goToAndPlay', 'playSegments']
const EVENTS = ['enterFrame', 'drawnFrame', 'loopComplete', 'complete', 'segmentStart']

/** Whether page code listens to an animation's progress; then the animation must advance frame by frame. */
const hasListeners = (animation: LottieAnimation): boolean =>
  EVENTS.some(
    (type) =>
      animation._cbs?.[type]?.length ||
      typeof Reflect.get(animation, `on${type[0]?.toUpperCase()}${type.slice(1)}`) === 'function',
  )

const runOf = (animation: LottieAnimation): LottieRun => ({
  frames: animation.totalFrames,
  rate: animation.frameRate * animation.playSpeed * animation.playDirection,
  plays: animation.loop === true ? Infinity : (Number(animation.loop) || 0) + 1,
})

/**
 * Seeks the animations that lottie-web has registered. An animation that page code listens to, has posed, or controls
 * later is left to the library's loop, which runs on the clock.
 */
export const createLottie = (parts: LottieParts, seekedElsewhere: () => ReadonlySet<object>): FollowerSource => {
  const { realm } = parts
  const followed = new Map<LottieAnimation, Follower>()
  const loading = watchLottieLoading(parts)
  let seeking = false

  const follow = (animation: LottieAnimation) => {
    const { goToAndStop } = animation
    const seek = (seconds: number) => {
      seeking = true
      try {
        goToAndStop.call(animation, lottieFrameAt(runOf(animation), seconds), true)
      } finally {
        seeking = false
      }
    }
    const unwatch = watchMethods(animation, CONTROLS, () => {
      if (seeking) return
      followed.delete(animation)
      unwatch()
      lottieOf(realm)?.unfreeze?.()
    })
    followed.set(animation, {
      name: 'lottie',
      ...(animation.wrapper && { element: animation.wrapper }),
      seek,
      duration: () => lengthOfRun(runOf(animation)),
    })
  }

  return {
    followers: () => [...followed.values()],
    loading,
    begin() {
      let playsFreely = false
      for (const animation of lottieOf(realm)?.getRegisteredAnimations() ?? []) {
        const isPosed = animation.isPaused && animation.currentRawFrame !== 0
        if (isPosed || !animation.isLoaded || seekedElsewhere().has(animation)) continue
        if (hasListeners(animation)) playsFreely = true
        else follow(animation)
      }
      for (const { seek } of followed.values()) seek(0)
      if (playsFreely) lottieOf(realm)?.unfreeze?.()
    },
    hasCallbacks: () => false,
  }
}
