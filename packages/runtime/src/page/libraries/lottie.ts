import type { Clock } from '../clock/clock.ts'
import type { Timers } from '../clock/timers.ts'
import type { PageErrors } from '../errors.ts'
import type { Follower, FollowerSource } from '../motion/follower.ts'
import { watchMethods } from '../motion/touch.ts'
import { natives, type Realm } from '../natives.ts'
import { lottieFault, readLottieFault } from './lottie-check.ts'
import { frameAt, type LottieRun, lengthOfRun } from './lottie-frame.ts'

/** What the runtime uses of a lottie-web animation. */
interface LottieAnimation {
  readonly wrapper?: Element
  readonly isLoaded: boolean
  readonly isPaused: boolean
  readonly autoplay: boolean
  readonly loop: boolean | number
  readonly totalFrames: number
  readonly frameRate: number
  readonly playSpeed: number
  readonly playDirection: number
  readonly currentRawFrame: number
  /** Folder and bare name of its file, which is what the library keeps of the address. */
  readonly path?: string
  readonly fileName?: string
  readonly _cbs?: Readonly<Record<string, readonly unknown[] | null>>
  goToAndStop(frame: number, isFrame: true): void
  addEventListener(type: string, listener: () => void): void
}

/** What a page asks the library for. */
interface LottieOptions {
  readonly container?: unknown
  readonly path?: unknown
  readonly animationData?: unknown
}

/** What the runtime uses of the library. */
interface Lottie {
  getRegisteredAnimations(): LottieAnimation[]
  loadAnimation(options: LottieOptions): LottieAnimation
  freeze?(): void
  unfreeze?(): void
}

const CONTROLS = ['play', 'pause', 'stop', 'togglePause', 'goToAndStop', 'goToAndPlay', 'playSegments']
const EVENTS = ['enterFrame', 'drawnFrame', 'loopComplete', 'complete', 'segmentStart']

/** Whether page code hears how an animation goes on: then it must go on by itself, frame after frame. */
const isHeard = (animation: LottieAnimation): boolean =>
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

/** What the players of lottie-web have of the page. */
export interface LottieSurroundings {
  readonly realm: Realm
  readonly clock: Clock
  readonly errors: PageErrors
  readonly timers: Timers
}

/** The library looks every 100 ms whether the document has loaded, to play what is declared in markup. */
const looksForMarkup = (handler: unknown): boolean => {
  const text = typeof handler === 'function' ? Function.prototype.toString.call(handler) : ''
  return /readyState/.test(text) && /clearInterval/.test(text)
}

/**
 * Follows the animations that lottie-web knows. One that page code listens to, has posed by hand, or controls later is
 * left to the library, whose own loop runs on the clock.
 */
export const createLottie = (
  { realm, clock, errors, timers }: LottieSurroundings,
  handedOver: () => ReadonlySet<object>,
): FollowerSource => {
  const held = new Map<LottieAnimation, Follower>()
  const failed = new WeakSet<LottieAnimation>()
  const watched = new WeakSet<LottieAnimation>()
  const given = new WeakMap<LottieAnimation, LottieOptions>()
  const prepared = new WeakSet<Lottie>()
  let seeking = false

  const library = (): Lottie | undefined => {
    const found = Reflect.get(realm, 'lottie') as Partial<Lottie> | undefined
    return typeof found?.getRegisteredAnimations === 'function' ? (found as Lottie) : undefined
  }

  /** What is known of where its data comes from. */
  const nameOf = (animation: LottieAnimation): string => {
    const { path, fileName } = animation
    const { path: asked, animationData } = given.get(animation) ?? {}
    if (typeof asked === 'string') return asked
    return fileName ? `${path ?? ''}${fileName}.json` : animationData === undefined ? '' : 'its animationData'
  }

  const fail = (animation: LottieAnimation, reason?: string) => {
    if (failed.has(animation) || animation.isLoaded) return
    failed.add(animation)
    const why = reason ? `: ${reason}` : ''
    errors.add({ message: `Lottie could not load ${nameOf(animation) || 'an animation'}${why}` })
  }

  /** Hears of what cannot be loaded; a file that is there but is no animation makes the library say nothing at all. */
  const watch = async (animation: LottieAnimation) => {
    if (watched.has(animation)) return
    watched.add(animation)
    animation.addEventListener('data_failed', () => fail(animation))
    const data = given.get(animation)?.animationData
    const name = nameOf(animation)
    const fault =
      data !== undefined
        ? lottieFault(data)
        : name && (await readLottieFault(new URL(name, realm.document.baseURI).href))
    if (fault) fail(animation, fault)
  }

  /** Until the page begins, its loop must not start: it could not be told from a loop of the page. */
  const prepare = () => {
    const lottie = library()
    if (!lottie || prepared.has(lottie) || clock.started) return
    prepared.add(lottie)
    lottie.freeze?.()
    const { loadAnimation } = lottie
    lottie.loadAnimation = (options) => {
      const { container } = options
      // The library itself takes elements only; existing work also gives selectors.
      const found = typeof container === 'string' && realm.document.querySelector(container)
      const before = new Set(lottie.getRegisteredAnimations())
      try {
        return loadAnimation.call(lottie, found ? { ...options, container: found } : options)
      } finally {
        // Also what is registered although loading it has thrown.
        for (const animation of lottie.getRegisteredAnimations()) {
          if (before.has(animation)) continue
          given.set(animation, options)
          void watch(animation)
        }
      }
    }
  }
  natives.listen.call(realm.document, 'load', prepare, true)

  const hold = (animation: LottieAnimation) => {
    const { goToAndStop } = animation
    const seekTo = (seconds: number) => {
      seeking = true
      try {
        goToAndStop.call(animation, frameAt(runOf(animation), seconds), true)
      } finally {
        seeking = false
      }
    }
    const unwatch = watchMethods(animation, CONTROLS, () => {
      if (seeking) return
      held.delete(animation)
      unwatch()
      library()?.unfreeze?.()
    })
    held.set(animation, {
      name: 'lottie',
      ...(animation.wrapper && { element: animation.wrapper }),
      seek: seekTo,
      duration: () => lengthOfRun(runOf(animation)),
    })
  }

  return {
    followers: () => [...held.values()],
    loading() {
      prepare()
      if (library() && realm.document.readyState === 'complete') timers.runMatching(looksForMarkup)
      const open = (library()?.getRegisteredAnimations() ?? []).filter(
        (animation) => animation.isLoaded === false && !failed.has(animation),
      )
      for (const animation of open) void watch(animation)
      return open.map((animation) => `Lottie animation ${nameOf(animation)}`)
    },
    begin() {
      let isFree = false
      for (const animation of library()?.getRegisteredAnimations() ?? []) {
        const isPosed = animation.isPaused && animation.currentRawFrame !== 0
        if (isPosed || !animation.isLoaded || handedOver().has(animation)) continue
        if (isHeard(animation)) isFree = true
        else hold(animation)
      }
      for (const { seek } of held.values()) seek(0)
      if (isFree) library()?.unfreeze?.()
    },
    hasCallbacks: () => false,
  }
}
