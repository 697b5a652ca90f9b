import { nestedVariables } from '../document/variables.ts'
import { localTime, type TimeWindow, type TimeWindows } from '../document/windows.ts'
import type { Adapters, PageAdapter } from '../libraries/adapters.ts'
import type { Handover } from '../libraries/aliases.ts'
import type { TimelineRegistry } from '../libraries/timelines.ts'
import type { Realm } from '../realm/natives.ts'
import type { DocumentScope } from './document-scope.ts'
import { type InstanceGlobals, instanceOverrides, libraryOverrides, type Registrations } from './instance-window.ts'
import { createScopedDocument } from './scoped-document.ts'
import { createGsapScope } from './scoped-gsap.ts'
import { createLibraryScope } from './scoped-library.ts'
import { createScopedQuery, findHost } from './scoped-query.ts'
import { createScopedWindow } from './scoped-window.ts'

/** The globals that scripts of an embedded composition see instead of the page's. */
export interface InstanceScope {
  readonly document: Document
  readonly window: Window
  readonly gsap: unknown
  readonly __timelines: object
  readonly __vid: object
  /** Libraries, by the names of their globals. */
  readonly [library: string]: unknown
}

/** One use of an embedded file. */
export interface Instance extends TimelineRegistry, Handover {
  readonly host: Element
  readonly scope: InstanceScope
  /** The target of its `vid-seek` events, which have its own time. */
  readonly seeks: EventTarget
}

/** The embedded files of a page that have scripts. */
export interface Instances {
  /** The scope of an instance, by the id that its host carries. */
  scope(instance: string): InstanceScope
  list(): readonly Instance[]
}

/** The parts of the page that an instance uses. */
export interface InstanceParts {
  readonly realm: Realm
  readonly documentScope: DocumentScope
  readonly adapters: () => Adapters
  /** The page's own `__vid`. */
  readonly accessor: () => object
  /** When an instance's host is shown. */
  windows(): Pick<TimeWindows, 'windowOf'>
}

/** Makes an adapter of an instance follow the instance's own time. */
const localAdapter = (adapter: PageAdapter, windowOf: () => TimeWindow): PageAdapter => {
  if (typeof adapter?.seek !== 'function') throw new TypeError('registerAdapter needs an object with seek(time)')
  const length = () => Number(typeof adapter.duration === 'function' ? adapter.duration() : adapter.duration)
  return {
    ...(adapter.name !== undefined && { name: adapter.name }),
    silent: adapter.silent === true,
    update: () => adapter.update?.(),
    seek(seconds) {
      const local = localTime(windowOf(), seconds)
      return local === undefined ? undefined : adapter.seek(local)
    },
    duration: () => Math.min(windowOf().start + length(), windowOf().end),
  }
}

const createInstance = (id: string, host: Element, page: InstanceParts): Instance => {
  const { realm } = page
  const query = createScopedQuery(host, id)
  const seeks = new EventTarget()
  const variables = nestedVariables(host)
  const timelines: object = {}
  const registrations: Registrations = {
    timelines,
    registries: new Set([timelines]),
    lottie: undefined,
    anime: undefined,
  }
  const windowOf = () => page.windows().windowOf(host)
  const register = (adapter: PageAdapter) => page.adapters().register(localAdapter(adapter, windowOf))
  const accessor = Object.freeze({
    ...page.accessor(),
    getVariables: () => variables,
    registerAdapter: register,
  })
  const globals: InstanceGlobals = {
    realm,
    accessor,
    registrations,
    windowOf,
    register,
    gsap: createGsapScope(query),
    libraries: createLibraryScope((call) => page.documentScope.within(query, call)),
    document: () => document,
  }
  const view = createScopedWindow(realm, seeks, instanceOverrides(globals))
  const document = createScopedDocument(realm.document, query, () => view)
  const scope = {
    document,
    window: view,
    get gsap() {
      return view['gsap' as never]
    },
    __timelines: timelines,
    __vid: accessor,
  }
  for (const [name, { get }] of libraryOverrides(globals)) Object.defineProperty(scope, name, { get })
  return {
    host,
    seeks,
    get lottie() {
      return registrations.lottie
    },
    get anime() {
      return registrations.anime
    },
    objects: () => registrations.registries,
    find: (key) => query.one(`[data-composition-id="${CSS.escape(key)}"]`) ?? host,
    scope,
  }
}

/** Creates an empty collection; an instance is created when its first script requests its scope. */
export const createInstances = (page: InstanceParts): Instances => {
  const instances = new Map<string, Instance>()
  return {
    list: () => [...instances.values()],
    scope(id) {
      const host = instances.get(id)?.host ?? findHost(id)
      if (!host) throw new Error(`no element has data-vid-instance="${id}"`)
      const instance = instances.get(id) ?? createInstance(id, host, page)
      instances.set(id, instance)
      return instance.scope
    },
  }
}
