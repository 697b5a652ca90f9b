import type { Clock } from '../clock/clock.ts'
import type { Timers } from '../clock/timers.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { lottieFault, readLottieFault } from './lottie-check.ts'
import { type Lottie, type LottieAnimation, type LottieOptions, lottieOf } from './lottie-library.ts'

/** The parts of the page that lottie-web's players load in. */
export interface LottieParts {
  readonly realm: Realm
  readonly clock: Clock
  readonly errors: PageErrors
  readonly timers: Timers
}

/** The library checks every 100 ms whether the document has loaded, to play animations declared in markup. */
const isMarkupCheck = (handler: unknown): boolean => {
  const text = typeof handler === 'function' ? Function.prototype.toString.call(handler) : ''
  return /readyState/.test(text) && /clearInterval/.test(text)
}

/** Reports each animation that the library loads, also one whose loading throws after it was registered. */
const watchLoads = (
  lottie: Lottie,
  document: Document,
  loading: (animation: LottieAnimation, options: LottieOptions) => void,
): void => {
  const { loadAnimation } = lottie
  lottie.loadAnimation = (options) => {
    const { container } = options
    // The library itself takes elements only; existing compositions also pass selectors.
    const element = typeof container === 'string' && document.querySelector(container)
    const before = new Set(lottie.getRegisteredAnimations())
    try {
      return loadAnimation.call(lottie, element ? { ...options, container: element } : options)
    } finally {
      for (const animation of lottie.getRegisteredAnimations()) if (!before.has(animation)) loading(animation, options)
    }
  }
}

/** Watches the loading of animations, and reports failures, which the library does not. */
export const watchLottieLoading = ({ realm, clock, errors, timers }: LottieParts) => {
  const failed = new WeakSet<LottieAnimation>()
  const watched = new WeakSet<LottieAnimation>()
  const optionsOf = new WeakMap<LottieAnimation, LottieOptions>()
  const prepared = new WeakSet<Lottie>()

  /** The source of an animation, if known. */
  const nameOf = (animation: LottieAnimation): string => {
    const { path, fileName } = animation
    const { path: address, animationData } = optionsOf.get(animation) ?? {}
    if (typeof address === 'string') return address
    return fileName ? `${path ?? ''}${fileName}.json` : animationData === undefined ? '' : 'its animationData'
  }

  const fail = (animation: LottieAnimation, reason?: string) => {
    if (failed.has(animation) || animation.isLoaded) return
    failed.add(animation)
    const why = reason ? `: ${reason}` : ''
    errors.add({ message: `Lottie could not load ${nameOf(animation) || 'an animation'}${why}` })
  }

  /** Reads the data as the library does: it dispatches no event for a file that exists but is no animation. */
  const watch = async (animation: LottieAnimation) => {
    if (watched.has(animation)) return
    watched.add(animation)
    animation.addEventListener('data_failed', () => fail(animation))
    const data = optionsOf.get(animation)?.animationData
    const name = nameOf(animation)
    const fault =
      data !== undefined
        ? lottieFault(data)
        : name && (await readLottieFault(new URL(name, realm.document.baseURI).href))
    if (fault) fail(animation, fault)
  }

  /** Keeps the library's loop from starting before the page begins, when it would look like a loop of the page. */
  const prepare = () => {
    const lottie = lottieOf(realm)
    if (!lottie || prepared.has(lottie) || clock.started) return
    prepared.add(lottie)
    lottie.freeze?.()
    watchLoads(lottie, realm.document, (animation, options) => {
      optionsOf.set(animation, options)
      void watch(animation)
    })
  }
  natives.listen.call(realm.document, 'load', prepare, true)

  /** Descriptions of pending loads. */
  return (): string[] => {
    prepare()
    if (lottieOf(realm) && realm.document.readyState === 'complete') timers.runMatching(isMarkupCheck)
    const open = (lottieOf(realm)?.getRegisteredAnimations() ?? []).filter(
      (animation) => animation.isLoaded === false && !failed.has(animation),
    )
    for (const animation of open) void watch(animation)
    return open.map((animation) => `Lottie animation ${nameOf(animation)}`)
  }
}
