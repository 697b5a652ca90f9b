import type { PageErrors } from './errors.ts'
import type { Realm } from './natives.ts'

/** How a page makes something of its own follow the time: `seek` is given seconds and may return a promise. */
export interface PageAdapter {
  readonly name?: string
  seek(seconds: number): unknown
  duration?: unknown
}

/** Registered adapters, and the names that existing compositions use for the same. */
export interface Adapters {
  register(adapter: PageAdapter): void
  list(): PageAdapter[]
  /** Gives every promise that an adapter returns to `wait`. */
  seek(seconds: number, wait: (promise: Promise<unknown>, detail: string) => void): void
  /** Seconds of the longest adapter; undefined when none says. */
  length(): number | undefined
}

interface Aliases {
  __hf?: PageAdapter
  __hfThreeTime?: number
  __hfLottie?: unknown
  __hfAnime?: unknown
  lottie?: { getRegisteredAnimations?(): unknown }
}

interface LottiePlayer {
  goToAndStop?(milliseconds: number, isFrame: boolean): void
  setFrame?(frame: number): void
  totalFrames?: number
  duration?: number
}

const seekLottie = (player: LottiePlayer, seconds: number) => {
  if (player.goToAndStop) return player.goToAndStop(seconds * 1000, false)
  const { duration = 0, totalFrames = 0 } = player
  if (duration > 0) player.setFrame?.(Math.min(seconds / duration, 1) * totalFrames)
}

const objects = <T>(value: unknown): T[] => [value].flat().filter((each) => each instanceof Object) as T[]

const lengthOf = (adapter: PageAdapter): number =>
  Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)

/** Makes an empty list of adapters for a window. */
export const createAdapters = (realm: Realm, errors: PageErrors): Adapters => {
  const page = realm as Realm & Aliases
  const registered: PageAdapter[] = []

  const list = (): PageAdapter[] => {
    const alias = page.__hf
    const lottie = new Set(
      objects<LottiePlayer>([page.__hfLottie, page.lottie?.getRegisteredAnimations?.()].flat()),
    )
    return [
      ...registered,
      ...(typeof alias?.seek === 'function' ? [alias] : []),
      ...[...lottie].map((player) => ({ name: 'lottie', seek: (at: number) => seekLottie(player, at) })),
      ...objects<PageAdapter>(page.__hfAnime).map((anime) => ({
        name: 'anime',
        seek: (at: number) => anime.seek(at * 1000),
      })),
    ]
  }

  return {
    register(adapter) {
      if (typeof adapter?.seek !== 'function')
        throw new TypeError('registerAdapter needs an object with seek(time)')
      registered.push(adapter)
    },
    list,
    seek(seconds, wait) {
      page.__hfThreeTime = seconds
      for (const adapter of list()) {
        const answer = errors.guard(realm, () => adapter.seek(seconds))
        if (answer instanceof Promise) wait(answer, `adapter ${adapter.name ?? 'without a name'}`)
      }
    },
    length: () =>
      list()
        .map((adapter) => errors.guard(realm, () => lengthOf(adapter)) ?? Number.NaN)
        .filter((length) => !Number.isNaN(length))
        .reduce<number | undefined>((longest, length) => Math.max(longest ?? 0, length), undefined),
  }
}
