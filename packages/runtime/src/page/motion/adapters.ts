import type { Clock } from '../clock/clock.ts'
import type { Timers } from '../clock/timers.ts'
import { localTime, type TimeWindow } from '../document/windows.ts'
import type { PageErrors } from '../errors.ts'
import { createAliases, type Handover } from '../libraries/aliases.ts'
import { createAnime } from '../libraries/anime.ts'
import { createLottie } from '../libraries/lottie.ts'
import type { Realm } from '../natives.ts'
import type { Follower, FollowerSource } from './follower.ts'
import type { Timelines } from './timelines.ts'

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
  /** Gives every promise that an adapter returns to `wait`; `windowOf` gives when an element is shown. */
  seek(seconds: number, windowOf: WindowOf, wait: (promise: Promise<unknown>, detail: string) => void): void
  /** Seconds at which the last of them ends; undefined when none says. */
  length(windowOf: WindowOf): number | undefined
  hasCallbacks(): boolean
}

/** When an element is shown; null means the whole. */
type WindowOf = (element: Element | null) => TimeWindow

const lengthOf = (adapter: Follower): number =>
  Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)

/** What adapters have of the page; its timelines are seeked elsewhere. */
export interface AdapterSurroundings {
  readonly realm: Realm
  readonly clock: Clock
  readonly errors: PageErrors
  readonly timers: Timers
  readonly timelines: Timelines
  /** What embedded compositions hand over under the older names. */
  handovers(): readonly Handover[]
}

/** Makes an empty list of adapters for a window. */
export const createAdapters = (surroundings: AdapterSurroundings): Adapters => {
  const { realm, errors, timelines, handovers } = surroundings
  const page = realm as Realm & { __hfThreeTime?: number }
  const own: PageAdapter[] = []
  const aliases = createAliases(realm, handovers)
  const elsewhere = () => new Set([...timelines.objects, ...aliases.players()])
  const sources: FollowerSource[] = [createLottie(surroundings, elsewhere), createAnime(realm, elsewhere)]
  const list = (): Follower[] => [
    ...own,
    ...aliases.followers(),
    ...sources.flatMap((source) => source.followers()),
  ]
  const shownIn = ({ element }: Follower, windowOf: WindowOf): TimeWindow => windowOf(element ?? null)

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
    seek(seconds, windowOf, wait) {
      page.__hfThreeTime = seconds
      for (const adapter of list()) {
        const local = localTime(shownIn(adapter, windowOf), seconds)
        // Before its composition starts, nothing of it has happened.
        if (local === undefined) continue
        const answer = errors.guard(realm, () => adapter.seek(local))
        if (answer instanceof Promise) wait(answer, `adapter ${adapter.name ?? 'without a name'}`)
      }
    },
    length: (windowOf) =>
      list()
        .map((each) => {
          const { start, end } = shownIn(each, windowOf)
          return Math.min(start + (errors.guard(realm, () => lengthOf(each)) ?? Number.NaN), end)
        })
        .filter((length) => !Number.isNaN(length))
        .reduce<number | undefined>((longest, length) => Math.max(longest ?? 0, length), undefined),
    hasCallbacks: () => sources.some((source) => source.hasCallbacks()),
  }
}
