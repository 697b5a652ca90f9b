import type { PageErrors } from './errors.ts'
import { hasCallbacks, isGsap, seekGsap, tweensProperty } from './gsap.ts'
import type { Realm } from './natives.ts'
import { findComposition } from './root.ts'

/** Any object that a page may register: GSAP's, or its own. */
interface SeekableTimeline {
  seek(seconds: number): unknown
  pause?(): unknown
  duration?: unknown
  totalDuration?: unknown
}

/** One registered timeline, and the composition whose local time it follows. */
export interface RegisteredTimeline {
  readonly key: string
  readonly timeline: SeekableTimeline
  /** Null when the key names no composition: it follows the root. */
  readonly composition: Element | null
}

/** The timelines in `window.__timelines`. */
export interface Timelines {
  list(): RegisteredTimeline[]
  /** Stops what plays by itself, so that only seeks move it. */
  pause(): void
  /** `startOf` gives the start of a composition in seconds of the whole. */
  seek(seconds: number, startOf: (composition: Element) => number): void
  /** Longest registered under a key, in seconds; Infinity when endless, undefined when none. */
  lengthOf(key: string): number | undefined
  readonly objects: ReadonlySet<object>
  hasCallbacks(): boolean
  /** Whether a timeline may change a property of that name; one that is not GSAP's may change anything. */
  mayChange(property: string): boolean
}

/** GSAP gives an endless repeat the length 1e8 or 1e12. */
const ENDLESS = 1e7

const isSeekable = (value: unknown): value is SeekableTimeline =>
  value instanceof Object && 'seek' in value && typeof value.seek === 'function'

const lengthOf = (timeline: SeekableTimeline): number | undefined => {
  const source = timeline.totalDuration ?? timeline.duration
  const value = Number(typeof source === 'function' ? source.call(timeline) : source)
  return Number.isNaN(value) ? undefined : value >= ENDLESS ? Infinity : value
}

/** Follows `window.__timelines`, also what is registered later. */
export const createTimelines = (realm: Realm, errors: PageErrors): Timelines => {
  const host = realm as Realm & { __timelines?: unknown }
  host.__timelines = {}
  const seeked = new WeakSet<object>()

  const list = (): RegisteredTimeline[] =>
    Object.entries(Object(host.__timelines) as Record<string, unknown>).flatMap(([key, value]) =>
      [value]
        .flat()
        .filter(isSeekable)
        .map((timeline) => ({ key, timeline, composition: findComposition(key) })),
    )

  const seekOne = (timeline: SeekableTimeline, seconds: number) => {
    const first = !seeked.has(timeline)
    seeked.add(timeline)
    if (isGsap(timeline)) return seekGsap(timeline, seconds, first)
    timeline.seek(Math.min(seconds, lengthOf(timeline) ?? Infinity))
  }

  return {
    list,
    get objects() {
      return new Set(list().map(({ timeline }) => timeline))
    },
    pause() {
      for (const { timeline } of list()) errors.guard(realm, () => timeline.pause?.())
    },
    seek(seconds, startOf) {
      for (const { timeline, composition } of list()) {
        const local = composition ? seconds - startOf(composition) : seconds
        // Before its composition starts, nothing of it has happened.
        if (local > -1e-6) errors.guard(realm, () => seekOne(timeline, Math.max(0, local)))
      }
    },
    lengthOf: (key) =>
      list()
        .filter((each) => each.key === key)
        .map(({ timeline }) => errors.guard(realm, () => lengthOf(timeline)))
        .reduce(
          (longest, length) => (length === undefined ? longest : Math.max(longest ?? 0, length)),
          undefined,
        ),
    mayChange: (property) =>
      list().some(({ timeline }) => !isGsap(timeline) || tweensProperty(timeline, property)),
    hasCallbacks: () => list().some(({ timeline }) => isGsap(timeline) && hasCallbacks(timeline)),
  }
}
