import { createAliases } from './aliases.ts'
import { createAnime } from './anime.ts'
import type { Clock } from './clock.ts'
import type { PageErrors } from './errors.ts'
import type { Follower, FollowerSource } from './follower.ts'
import { createLottie } from './lottie.ts'
import type { Realm } from './natives.ts'
import { compositionOf } from './root.ts'

/** How a page makes something of its own follow the time: `seek` is given seconds and may return a promise. */
export type PageAdapter = Omit<Follower, 'element'>

/** Registered adapters, the players of known libraries, and the names that existing compositions use for the same. */
export interface Adapters {
  register(adapter: PageAdapter): void
  list(): Follower[]
  /** What a library is still loading, in words. */
  loading(): string[]
  /** Takes hold of what plays by now. */
  begin(): void
  /** Gives every promise that an adapter returns to `wait`; `startOf` gives the start of a composition in seconds. */
  seek(
    seconds: number,
    startOf: (composition: Element) => number,
    wait: (promise: Promise<unknown>, detail: string) => void,
  ): void
  /** Seconds at which the last of them ends; undefined when none says. */
  length(startOf: (composition: Element) => number): number | undefined
  hasCallbacks(): boolean
}

const lengthOf = (adapter: Follower): number =>
  Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)

/** Makes an empty list of adapters for a window; `registered` gives the timelines that are seeked elsewhere. */
export const createAdapters = (
  realm: Realm,
  clock: Clock,
  errors: PageErrors,
  registered: () => ReadonlySet<object>,
): Adapters => {
  const page = realm as Realm & { __hfThreeTime?: number }
  const own: PageAdapter[] = []
  const aliases = createAliases(realm)
  const elsewhere = () => new Set([...registered(), ...aliases.players()])
  const sources: FollowerSource[] = [
    createLottie(realm, clock, errors, elsewhere),
    createAnime(realm, elsewhere),
  ]
  const list = (): Follower[] => [
    ...own,
    ...aliases.followers(),
    ...sources.flatMap((source) => source.followers()),
  ]
  const offsetOf = ({ element }: Follower, startOf: (composition: Element) => number): number => {
    const composition = element && compositionOf(element)
    return composition ? startOf(composition) : 0
  }

  return {
    register(adapter) {
      if (typeof adapter?.seek !== 'function')
        throw new TypeError('registerAdapter needs an object with seek(time)')
      own.push(adapter)
    },
    list,
    loading: () => sources.flatMap((source) => source.loading()),
    begin() {
      for (const source of sources) errors.guard(realm, () => source.begin())
      errors.guard(realm, () => aliases.begin())
    },
    seek(seconds, startOf, wait) {
      page.__hfThreeTime = seconds
      for (const adapter of list()) {
        const local = Math.max(0, seconds - offsetOf(adapter, startOf))
        const answer = errors.guard(realm, () => adapter.seek(local))
        if (answer instanceof Promise) wait(answer, `adapter ${adapter.name ?? 'without a name'}`)
      }
    },
    length: (startOf) =>
      list()
        .map((each) => offsetOf(each, startOf) + (errors.guard(realm, () => lengthOf(each)) ?? Number.NaN))
        .filter((length) => !Number.isNaN(length))
        .reduce<number | undefined>((longest, length) => Math.max(longest ?? 0, length), undefined),
    hasCallbacks: () => sources.some((source) => source.hasCallbacks()),
  }
}
