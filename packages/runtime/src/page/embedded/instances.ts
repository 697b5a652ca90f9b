import { localTime, type TimeWindow } from '../document/windows.ts'
import type { Handover } from '../libraries/aliases.ts'
import type { Adapters, PageAdapter } from '../motion/adapters.ts'
import type { TimelineRegistry } from '../motion/timelines.ts'
import type { Realm } from '../natives.ts'
import { readVariables } from '../variables.ts'
import type { DocumentScope } from './document-scope.ts'
import { createScopedDocument } from './scoped-document.ts'
import { createGsapScope } from './scoped-gsap.ts'
import { createLibraryScope, LIBRARIES } from './scoped-library.ts'
import { createScopedQuery, findHost } from './scoped-query.ts'
import { createScopedWindow } from './scoped-window.ts'

/** What the scripts of an embedded composition see in place of the page's own. */
export interface InstanceScope {
  readonly document: Document
  readonly window: Window
  readonly gsap: unknown
  readonly __timelines: object
  readonly __vid: object
  /** And libraries, by the names of their globals. */
  readonly [library: string]: unknown
}

/** One use of an embedded file. */
export interface Instance extends TimelineRegistry, Handover {
  readonly host: Element
  readonly scope: InstanceScope
  /** Where its listeners hear `vid-seek`, with its own time. */
  readonly seeks: EventTarget
}

/** The embedded files of a page that have scripts. */
export interface Instances {
  /** The scope of an instance, by the id that its host carries. */
  scope(instance: string): InstanceScope
  list(): readonly Instance[]
}

/** What an instance has of the page. */
export interface InstanceSurroundings {
  readonly realm: Realm
  readonly documentScope: DocumentScope
  readonly adapters: () => Adapters
  /** The page's own `__vid`. */
  readonly accessor: () => object
  /** When an instance's host is shown. */
  windowOf(host: Element): TimeWindow
}

/** Makes an adapter of an instance follow the instance's own time. */
const localAdapter = (adapter: PageAdapter, windowOf: () => TimeWindow): PageAdapter => {
  if (typeof adapter?.seek !== 'function')
    throw new TypeError('registerAdapter needs an object with seek(time)')
  const length = () => Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)
  return {
    ...(adapter.name !== undefined && { name: adapter.name }),
    seek(seconds) {
      const local = localTime(windowOf(), seconds)
      return local === undefined ? undefined : adapter.seek(local)
    },
    duration: () => Math.min(windowOf().start + length(), windowOf().end),
  }
}

const createInstance = (id: string, host: Element, page: InstanceSurroundings): Instance => {
  const { realm } = page
  const query = createScopedQuery(host, id)
  const gsap = createGsapScope(query)
  const { scoped, unscoped } = createLibraryScope((call) => page.documentScope.within(query, call))
  const seeks = new EventTarget()
  const variables = readVariables(host)
  const first: object = {}
  // A script may put another object in its place and still hold the one it was given.
  const registered = new Set<object>([first])
  let timelines: unknown = first
  let alias: unknown
  const handed = { lottie: undefined as unknown, anime: undefined as unknown }
  const windowOf = () => page.windowOf(host)
  const register = (adapter: PageAdapter) => page.adapters().register(localAdapter(adapter, windowOf))
  const accessor = Object.freeze({
    ...page.accessor(),
    getVariables: () => variables,
    registerAdapter: register,
  })
  const named = (key: string): unknown => Reflect.get(realm, key)
  const libraries = LIBRARIES.map((name) => {
    const get = () => scoped(named(name))
    return [name, { get, set: (value: unknown) => Reflect.set(realm, name, unscoped(value)) }] as const
  })
  const view = createScopedWindow(realm, seeks, {
    ...Object.fromEntries(libraries),
    document: { get: () => document },
    __vid: { get: () => accessor },
    gsap: {
      get: () => gsap.scoped(named('gsap')),
      set: (value) => Reflect.set(realm, 'gsap', gsap.unscoped(value)),
    },
    __timelines: {
      get: () => timelines,
      set(value) {
        timelines = value
        if (value instanceof Object) registered.add(value)
      },
    },
    __hf: {
      get: () => alias,
      set(value) {
        alias = value
        if (value instanceof Object && 'seek' in value) register(value as PageAdapter)
      },
    },
    __hfLottie: {
      get: () => handed.lottie,
      set(value) {
        handed.lottie = value
      },
    },
    __hfAnime: {
      get: () => handed.anime,
      set(value) {
        handed.anime = value
      },
    },
    __hfThreeTime: {
      get() {
        const seconds = named('__hfThreeTime')
        return typeof seconds === 'number' ? localTime(windowOf(), seconds) : seconds
      },
    },
  })
  const document = createScopedDocument(realm.document, query, () => view)
  const scope = {
    document,
    window: view,
    get gsap() {
      return view['gsap' as never]
    },
    __timelines: first,
    __vid: accessor,
  }
  for (const [name, { get }] of libraries) Object.defineProperty(scope, name, { get })
  return {
    host,
    seeks,
    get lottie() {
      return handed.lottie
    },
    get anime() {
      return handed.anime
    },
    objects: () => registered,
    find: (key) => query.one(`[data-composition-id="${CSS.escape(key)}"]`) ?? host,
    scope,
  }
}

/** Makes an empty collection; an instance comes to be when its first script asks for its scope. */
export const createInstances = (page: InstanceSurroundings): Instances => {
  const known = new Map<string, Instance>()
  return {
    list: () => [...known.values()],
    scope(id) {
      const host = known.get(id)?.host ?? findHost(id)
      if (!host) throw new Error(`no element has data-vid-instance="${id}"`)
      const instance = known.get(id) ?? createInstance(id, host, page)
      known.set(id, instance)
      return instance.scope
    },
  }
}
