import { findComposition } from '../document/root.ts'
import { localTime, type TimeWindow } from '../document/windows.ts'
import type { Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { animeSeconds, callsPage, isAnime, seekAnime } from './anime.ts'
import { hasCallbacks, isGsap, seekGsap, tweensOneOf, tweensProperty } from './gsap.ts'

/** Any object that a page may register: GSAP's, or its own. */
interface SeekableTimeline {
  seek(seconds: number): unknown
  pause?(): unknown
  duration?: unknown
  totalDuration?: unknown
}

/** Where an embedded composition registers timelines, instead of `window.__timelines`. */
export interface TimelineRegistry {
  readonly host: Element
  objects(): Iterable<object>
  /** The composition that a key refers to. */
  find(key: string): Element
}

/** A registered timeline, and the composition with the local time that it follows. */
export interface RegisteredTimeline {
  readonly key: string
  readonly timeline: SeekableTimeline
  /** Null when the key names no composition: it follows the root. */
  readonly composition: Element | null
  /** The host of the embedded composition that has registered it; null for the page itself. */
  readonly host: Element | null
}

/** The timelines in `window.__timelines`. */
export interface Timelines {
  list(): RegisteredTimeline[]
  /** Stops all playback, so that only seeks move the timelines. */
  pause(): void
  /** `windowOf` returns when a composition is shown, in seconds of the whole. */
  seek(seconds: number, windowOf: (composition: Element) => TimeWindow): void
  /** Length of a composition's longest timeline, or of that of an embedded one, in seconds; undefined when none. */
  lengthOf(composition: Element): number | undefined
  readonly objects: ReadonlySet<object>
  hasCallbacks(): boolean
  /** Whether a timeline may change a property of that name; one that is not GSAP's may change anything. */
  mayChange(property: string): boolean
  /** Whether a timeline may change one of these elements; one that is not GSAP's may change anything. */
  mayMove(elements: readonly Element[]): boolean
}

/** GSAP sets the length of an endless repeat to 1e8 or 1e12. */
const ENDLESS = 1e7

const isSeekable = (value: unknown): value is SeekableTimeline =>
  value instanceof Object && 'seek' in value && typeof value.seek === 'function'

/** Seconds of a timeline; Infinity when endless, undefined when it has no length. */
export const timelineSeconds = (timeline: SeekableTimeline): number | undefined => {
  if (isAnime(timeline)) return animeSeconds(timeline)
  const source = timeline.totalDuration ?? timeline.duration
  const value = Number(typeof source === 'function' ? source.call(timeline) : source)
  return Number.isNaN(value) ? undefined : value >= ENDLESS ? Infinity : value
}

const registeredIn = (
  objects: unknown,
  host: Element | null,
  find: (key: string) => Element | null,
): RegisteredTimeline[] =>
  Object.entries(Object(objects) as Record<string, unknown>).flatMap(([key, value]) =>
    [value]
      .flat()
      .filter(isSeekable)
      .map((timeline) => ({ key, timeline, host, composition: find(key) })),
  )

/** Watches `window.__timelines`, including later registrations. */
export const createTimelines = (
  realm: Realm,
  errors: PageErrors,
  embedded: () => readonly TimelineRegistry[],
): Timelines => {
  const page = realm as Realm & { __timelines?: unknown }
  page.__timelines = {}
  const seeked = new WeakSet<object>()

  const list = (): RegisteredTimeline[] => [
    ...registeredIn(page.__timelines, null, findComposition),
    ...embedded().flatMap(({ host, objects, find }) =>
      [...objects()].flatMap((registry) => registeredIn(registry, host, find)),
    ),
  ]

  const seekOne = (timeline: SeekableTimeline, seconds: number) => {
    const first = !seeked.has(timeline)
    seeked.add(timeline)
    if (isGsap(timeline)) return seekGsap(timeline, seconds, first)
    if (isAnime(timeline)) return seekAnime(timeline, seconds * 1000)
    timeline.seek(Math.min(seconds, timelineSeconds(timeline) ?? Infinity))
  }

  return {
    list,
    get objects() {
      return new Set(list().map(({ timeline }) => timeline))
    },
    pause() {
      for (const { timeline } of list()) errors.guard(realm, () => timeline.pause?.())
    },
    seek(seconds, windowOf) {
      for (const { timeline, composition } of list()) {
        const local = composition ? localTime(windowOf(composition), seconds) : seconds
        // Before its composition starts, it is not seeked.
        if (local !== undefined) errors.guard(realm, () => seekOne(timeline, local))
      }
    },
    lengthOf: (of) =>
      list()
        .filter(({ composition, host }) => composition === of || host === of)
        .map(({ timeline }) => errors.guard(realm, () => timelineSeconds(timeline)))
        .reduce((longest, length) => (length === undefined ? longest : Math.max(longest ?? 0, length)), undefined),
    mayChange: (property) => list().some(({ timeline }) => !isGsap(timeline) || tweensProperty(timeline, property)),
    mayMove: (elements) => list().some(({ timeline }) => !isGsap(timeline) || tweensOneOf(timeline, elements)),
    hasCallbacks: () =>
      list().some(({ timeline }) =>
        isGsap(timeline) ? hasCallbacks(timeline) : isAnime(timeline) && callsPage(timeline),
      ),
  }
}
