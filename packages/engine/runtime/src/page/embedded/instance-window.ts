import { localTime, type TimeWindow } from '../document/windows.ts'
import type { PageAdapter } from '../libraries/adapters.ts'
import type { Realm } from '../realm/natives.ts'
import type { createGsapScope } from './scoped-gsap.ts'
import { type createLibraryScope, LIBRARIES } from './scoped-library.ts'
import type { Override } from './stand-in.ts'

/** What the scripts of one instance have registered through globals. */
export interface Registrations {
  /** The value of `__timelines`. */
  timelines: unknown
  /** All values that `__timelines` has had, since a script may still use an earlier one. */
  readonly registries: Set<object>
  lottie: unknown
  anime: unknown
}

/** The parts from which the globals of an instance are created. */
export interface InstanceGlobals {
  readonly realm: Realm
  readonly gsap: ReturnType<typeof createGsapScope>
  readonly libraries: ReturnType<typeof createLibraryScope>
  readonly accessor: object
  readonly registrations: Registrations
  document(): Document
  windowOf(): TimeWindow
  register(adapter: PageAdapter): void
}

/** Libraries of the page by the names of their globals, scoped to an instance. */
export const libraryOverrides = ({
  realm,
  libraries,
}: InstanceGlobals): (readonly [name: string, override: Override])[] =>
  LIBRARIES.map((name) => [
    name,
    {
      get: () => libraries.scoped(Reflect.get(realm, name)),
      set: (value) => Reflect.set(realm, name, libraries.unscoped(value)),
    },
  ])

/** The older names, by which existing compositions register adapters and players and read their time. */
const olderNames = ({ realm, registrations, windowOf, register }: InstanceGlobals) => {
  let adapter: unknown
  return {
    __hf: {
      get: () => adapter,
      set(value) {
        adapter = value
        if (value instanceof Object && 'seek' in value) register(value as PageAdapter)
      },
    },
    __hfLottie: {
      get: () => registrations.lottie,
      set(value) {
        registrations.lottie = value
      },
    },
    __hfAnime: {
      get: () => registrations.anime,
      set(value) {
        registrations.anime = value
      },
    },
    __hfThreeTime: {
      get() {
        const seconds: unknown = Reflect.get(realm, '__hfThreeTime')
        return typeof seconds === 'number' ? localTime(windowOf(), seconds) : seconds
      },
    },
  } satisfies Record<string, Override>
}

/** The globals that an instance's scripts see instead of the page's. */
export const instanceOverrides = (globals: InstanceGlobals): Readonly<Record<string, Override>> => {
  const { realm, gsap, accessor, registrations, document } = globals
  return {
    ...Object.fromEntries(libraryOverrides(globals)),
    document: { get: document },
    __vid: { get: () => accessor },
    gsap: {
      get: () => gsap.scoped(Reflect.get(realm, 'gsap')),
      set: (value) => Reflect.set(realm, 'gsap', gsap.unscoped(value)),
    },
    __timelines: {
      get: () => registrations.timelines,
      set(value) {
        registrations.timelines = value
        if (value instanceof Object) registrations.registries.add(value)
      },
    },
    ...olderNames(globals),
  }
}
