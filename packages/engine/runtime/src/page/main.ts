import type { PageConfig } from '../contract/page-config.ts'
import { OPEN_TREES, PAGE_HOST, type PageHost } from '../contract/page-host.ts'
import type { ProbeReport } from '../contract/probe.ts'
import { createDepthWatch } from './depth/depth.ts'
import { createFreshPaint } from './document/fresh-paint.ts'
import { takeOpener } from './document/hidden-trees.ts'
import { freezeVariables, variablesHere } from './document/variables.ts'
import { createSeek } from './frame/seek.ts'
import type { PageAdapter } from './libraries/adapters.ts'
import { blankVideos } from './media/blank-videos.ts'
import { listCaptions } from './media/caption-tracks.ts'
import { createStyleOverrides } from './motion/style-override.ts'
import { readBoxes } from './outline/boxes.ts'
import { readClips } from './outline/clip-tree.ts'
import { readMotions } from './outline/motions.ts'
import { canDecodePackets } from './packets/packet-decoder.ts'
import { createPage, type Page } from './page.ts'
import { isTransformedBackdrop, UNFILTERED } from './raster/backdrops.ts'
import { createRaster } from './raster/raster.ts'
import { beginPage } from './readiness/begin.ts'
import { createReadiness } from './readiness/readiness.ts'
import type { Realm } from './realm/natives.ts'
import { createStyledElements } from './styles/styled-elements.ts'

declare const __VID_CONFIG__: PageConfig

/** Key under which a window stores the runtime, so that frames of the same origin find it. */
const RUNTIME = Symbol.for('vid.runtime')

interface Runtime {
  readonly page: Page
  readonly accessor: object
}

const runtimeOf = (holder: object): Runtime | undefined => Reflect.get(holder, RUNTIME) as Runtime | undefined

/**
 * The runtime of the composition's window, when it can be reached: it is the top window in a render, and in a player
 * one that the page around it shows in a frame.
 */
const findRuntime = (realm: Realm): Runtime | undefined => {
  for (const outer of [realm.top, realm.parent])
    try {
      const runtime = outer && outer !== realm ? runtimeOf(outer) : undefined
      if (runtime) return runtime
    } catch {
      // a frame of another origin keeps its own time
    }
  return undefined
}

const define = (realm: Realm, key: string | symbol, value: object) =>
  Object.defineProperty(realm, key, { value: Object.freeze(value) })

/** The global `__vid` of the top window. */
const createAccessor = (page: () => Page, realm: Realm, config: PageConfig): object => {
  const variables = freezeVariables(config.variables)
  return {
    getVariables: () => variablesHere(realm.document, variables),
    registerAdapter: (adapter: PageAdapter) => page().adapters.register(adapter),
    /** Whether elements that draw captions show nothing: they go another way into the video. */
    hidesCaptions: config.hidesCaptions === true,
    waitUntil: (promise: Promise<unknown>) => page().pending.track(promise, '__vid.waitUntil', true),
    /** For compiled text: the scope that scripts of an embedded file see. */
    __scope: (instance: string) => page().instances.scope(instance),
  }
}

const createVolumeSampling =
  ({ adapters, unseenDrawing, media }: Page, seek: (frame: number) => Promise<void>): PageHost['volumes'] =>
  async (start, frames, isDrawn) => {
    adapters.removeSilent()
    if (!isDrawn) unseenDrawing.leaveOut()
    const gains: number[][] = []
    for (let frame = start; frame < start + frames; frame++) {
      await seek(frame)
      if (unseenDrawing.isMissed) return null
      gains.push(media.gains())
    }
    return gains
  }

const createHost = (page: Page): PageHost => {
  const { realm, config, media, videoFrames, animations, hiddenTrees, glyphs, errors } = page
  let probe: Pick<ProbeReport, 'stateful' | 'selfStarting'> = { stateful: true, selfStarting: false }
  const seek = createSeek(page, () => probe)
  const paintFresh = createFreshPaint(page)
  const unfiltered = createStyleOverrides()
  const { raster } = config
  const elements = {
    animated: () => new Set([...animations.playbacks.values()].flatMap(({ element }) => element ?? [])),
    trees: () => page.treesOf(realm),
    treesIn: (document: Document) => page.treesOf({ document }),
    styled: createStyledElements(page.ruleWatches.of(realm)),
  }
  // A page that is captured as an element flattens itself, but for its canvases and videos, whose backs it hides.
  const depth = raster ? undefined : createDepthWatch(realm, elements)
  return {
    readiness: createReadiness(page),
    begin() {
      const report = beginPage(page)
      probe = report
      return report
    },
    setMediaFacts: media.setFacts,
    showMedia: (shows) => videoFrames.plan(shows, media.elementOf),
    canDecode: canDecodePackets,
    videoElement: media.elementOf,
    spareVideo: videoFrames.createSpareVideo,
    addOverlayCanvas: (id, shadow, spareShadow) =>
      videoFrames.addOverlay(media.elementOf(id), shadow as ShadowRoot, spareShadow as ShadowRoot),
    blankVideos: (ids) => blankVideos(page, ids),
    async seek(frame, fresh = false) {
      await seek(frame)
      depth?.update()
      if (fresh) paintFresh()
    },
    paintFresh,
    hideTransformedBackdrops() {
      unfiltered.set(page.find('*').filter(isTransformedBackdrop), UNFILTERED)
    },
    restoreTransformedBackdrops: unfiltered.cancel,
    hiddenHost: hiddenTrees.hostAt,
    addHiddenTree: (tree) => hiddenTrees.add(tree as ShadowRoot),
    hiddenTreesAdded: hiddenTrees.opened,
    stillAnimation: (animation) => animations.unfollowed(animation as Animation),
    errors: () => [...errors.list],
    realClocks: page.realClocks.used,
    characters: glyphs.characters,
    missingGlyphs: glyphs.missing,
    outline: () => ({
      clips: readClips(page),
      motions: readMotions(page),
      captions: listCaptions(page.find('track') as HTMLTrackElement[], page.windows()),
    }),
    boxes: () => readBoxes(config),
    volumes: createVolumeSampling(page, seek),
    ...(raster && {
      raster: createRaster({ realm, config: { ...config, raster }, seek, fits: videoFrames.fits, ...elements }),
    }),
  }
}

const createRuntime = (realm: Realm, config: PageConfig, openTrees: ((count: string) => void) | undefined): Runtime => {
  const accessor = createAccessor(() => page, realm, config)
  const page: Page = createPage(realm, config, () => accessor, openTrees)
  define(realm, PAGE_HOST, createHost(page))
  return { page, accessor }
}

const start = (realm: Realm) => {
  // A frame's first, empty document shares its window with the next one.
  if (runtimeOf(realm)) return
  const openTrees = takeOpener(realm, OPEN_TREES)
  const shared = findRuntime(realm)
  const runtime = shared ?? createRuntime(realm, __VID_CONFIG__, openTrees)
  define(realm, RUNTIME, runtime)
  define(realm, '__vid', runtime.accessor)
  shared?.page.adopt(realm)
}

start(window)
