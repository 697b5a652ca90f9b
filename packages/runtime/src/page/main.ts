import type { PageConfig, PageHost } from '../contract.ts'
import { blankVideos } from './media/blank-videos.ts'
import type { PageAdapter } from './motion/adapters.ts'
import { createSeek } from './motion/seek.ts'
import type { Realm } from './natives.ts'
import { canDecodePackets } from './packets/packet-decoder.ts'
import { createPage, type Page } from './page.ts'
import { createRaster } from './raster/raster.ts'
import { beginPage } from './readiness/begin.ts'
import { createReadiness } from './readiness/readiness.ts'
import { freezeVariables, variablesHere } from './variables.ts'

declare const __VID_CONFIG__: PageConfig

/** Under this key a window keeps the runtime, so that frames of the same origin find it. */
const RUNTIME = Symbol.for('vid.runtime')

interface Runtime {
  readonly page: Page
  readonly accessor: object
}

const runtimeOf = (holder: object): Runtime | undefined => Reflect.get(holder, RUNTIME) as Runtime | undefined

/** The runtime of the top window, when it may be reached. */
const findRuntime = (realm: Realm): Runtime | undefined => {
  try {
    return realm.top && realm.top !== realm ? runtimeOf(realm.top) : undefined
  } catch {
    return undefined // a frame of another origin keeps its own time
  }
}

const define = (realm: Realm, key: string | symbol, value: object) =>
  Object.defineProperty(realm, key, { value: Object.freeze(value) })

const createRuntime = (realm: Realm, config: PageConfig): Runtime => {
  const page = createPage(realm, config, () => accessor)
  const variables = freezeVariables(config.variables)
  const accessor = {
    getVariables: () => variablesHere(realm.document, variables),
    registerAdapter: (adapter: PageAdapter) => page.adapters.register(adapter),
    waitUntil: (promise: Promise<unknown>) => page.pending.track(promise, '__vid.waitUntil', true),
    /** For compiled text: what the scripts of an embedded file see. */
    __scope: (instance: string) => page.instances.scope(instance),
  }
  let isStateful = true
  const seek = createSeek(page, () => isStateful)
  const { raster } = config
  const animated = () =>
    new Set([...page.animations.playbacks.values()].flatMap(({ element }) => element ?? []))
  const host: PageHost = {
    readiness: createReadiness(page),
    begin() {
      const probe = beginPage(page)
      isStateful = probe.stateful
      return probe
    },
    tellMedia: (facts) => page.media.tell(facts),
    showMedia: (shows) => page.videoFrames.plan(shows, (id) => page.media.elementOf(id)),
    canDecode: canDecodePackets,
    videoOf: (id) => (id === undefined ? page.videoFrames.lender() : page.media.elementOf(id)),
    giveScreen: (id, inside, lent) =>
      page.videoFrames.giveScreen(page.media.elementOf(id), inside as ShadowRoot, lent as ShadowRoot),
    blankVideos: (ids) => blankVideos(page, ids),
    seek,
    errors: () => [...page.errors.list],
    letters: page.letters.all,
    missingLetters: page.letters.missing,
    async volumes(start, frames) {
      const gains: number[][] = []
      for (let frame = start; frame < start + frames; frame++) {
        await seek(frame)
        gains.push(page.media.gains())
      }
      return gains
    },
    ...(raster && {
      raster: createRaster(realm, { ...config, raster }, seek, animated, page.videoFrames.fits),
    }),
  }
  define(realm, '__vidHost', host)
  return { page, accessor }
}

const start = (realm: Realm) => {
  // A frame's first, empty document shares its window with the next one.
  if (runtimeOf(realm)) return
  const shared = findRuntime(realm)
  const runtime = shared ?? createRuntime(realm, __VID_CONFIG__)
  define(realm, RUNTIME, runtime)
  define(realm, '__vid', runtime.accessor)
  shared?.page.adopt(realm)
}

start(window)
