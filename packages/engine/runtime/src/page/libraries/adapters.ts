import type { Clock } from '../clock/clock.ts'
import type { Timers } from '../clock/timers.ts'
import { localTime, type TimeWindow } from '../document/windows.ts'
import type { Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { createAliases, type Handover } from './aliases.ts'
import { createAnime } from './anime.ts'
import type { Follower, FollowerSource } from './follower.ts'
import { createLottie } from './lottie.ts'
import { createShaderTransitions } from './shader-transitions.ts'
import type { Timelines } from './timelines.ts'

/** An object that a page registers to follow the time. */
export type PageAdapter = Omit<Follower, 'parts'>

/**
 * Registered adapters, the players of supported libraries, and objects that existing compositions register by older
 * names.
 */
export interface Adapters {
  register(adapter: PageAdapter): void
  list(): Follower[]
  /** Descriptions of pending loads. */
  loading(): string[]
  /** Stops all playback, so that only seeks move the players. */
  begin(): void
  /** Passes every promise that an adapter returns to `wait`; `windowOf` returns when an element is shown. */
  seek(seconds: number, windowOf: WindowOf, wait: (promise: Promise<unknown>, detail: string) => void): void
  /** Calls `update` of each. */
  update(): void
  /** Whether one of them may change the gain of a sound. */
  mayChangeSound(): boolean
  /** Removes those that leave all sounds as they are. */
  removeSilent(): void
  /** Seconds at which the last of them ends; undefined when none has a length. */
  length(windowOf: WindowOf): number | undefined
  hasCallbacks(): boolean
}

/** When an element is shown; null means the whole composition. */
type WindowOf = (element: Element | null) => TimeWindow

const lengthOf = (adapter: Follower): number =>
  Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)

/** The parts of the page that adapters use; its timelines are seeked elsewhere. */
export interface AdapterParts {
  readonly realm: Realm
  readonly clock: Clock
  readonly errors: PageErrors
  readonly timers: Timers
  readonly timelines: Timelines
  /** Objects that embedded compositions register by the older names. */
  handovers(): readonly Handover[]
}

/** Creates an empty list of adapters for a window. */
export const createAdapters = (parts: AdapterParts): Adapters => {
  const { realm, errors, timelines, handovers } = parts
  const page = realm as Realm & { __hfThreeTime?: number }
  let registered: readonly PageAdapter[] = []
  const aliases = createAliases(realm, handovers)
  const elsewhere = () => new Set([...timelines.objects, ...aliases.players()])
  const sources: FollowerSource[] = [
    createLottie(parts, elsewhere),
    createAnime(realm, elsewhere),
    createShaderTransitions(realm, errors),
  ]
  const list = (): Follower[] => [
    ...registered,
    ...aliases.followers(),
    ...sources.flatMap((source) => source.followers()),
  ]
  const windowFor = ({ element }: Follower, windowOf: WindowOf): TimeWindow => windowOf(element ?? null)

  return {
    register(adapter) {
      if (typeof adapter?.seek !== 'function') throw new TypeError('registerAdapter needs an object with seek(time)')
      registered = [...registered, adapter]
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
        const local = localTime(windowFor(adapter, windowOf), seconds)
        // Before its composition starts, it is not seeked.
        if (local === undefined) continue
        const answer = errors.guard(realm, () => adapter.seek(local))
        if (answer instanceof Promise) wait(answer, `adapter ${adapter.name ?? 'without a name'}`)
      }
    },
    update() {
      for (const adapter of registered) errors.guard(realm, () => adapter.update?.())
    },
    mayChangeSound: () => list().some(({ silent }) => silent !== true),
    removeSilent() {
      registered = registered.filter(({ silent }) => silent !== true)
    },
    length: (windowOf) =>
      list()
        .map((adapter) => {
          const { start, end } = windowFor(adapter, windowOf)
          return Math.min(start + (errors.guard(realm, () => lengthOf(adapter)) ?? Number.NaN), end)
        })
        .filter((length) => !Number.isNaN(length))
        .reduce<number | undefined>((longest, length) => Math.max(longest ?? 0, length), undefined),
    hasCallbacks: () => sources.some((source) => source.hasCallbacks()),
  }
}
