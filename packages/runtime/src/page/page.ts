import type { PageConfig } from '../contract.ts'
import { type Clock, installClock } from './clock/clock.ts'
import { createFrames, type Frames } from './clock/frames.ts'
import { createListeners, type Listeners } from './clock/listeners.ts'
import { createMessages, type Messages } from './clock/messages.ts'
import { installOwnClocks } from './clock/own-clocks.ts'
import { createRandom, installRandom, type Random } from './clock/random.ts'
import { createTimers, type Timers } from './clock/timers.ts'
import { installViewTransitions } from './clock/view-transitions.ts'
import { type Clips, createClips } from './document/clips.ts'
import { createLayout, type Layout } from './document/layout.ts'
import { createShadows } from './document/shadows.ts'
import { readWindows, type TimeWindows } from './document/windows.ts'
import { createDocumentScope } from './embedded/document-scope.ts'
import { createInstances, type Instances } from './embedded/instances.ts'
import { createErrors, type PageErrors } from './errors.ts'
import { createGradings, type Gradings } from './grading/gradings.ts'
import { type AnimatedImages, createAnimatedImages } from './images/animated-images.ts'
import { createMedia, type Media } from './media/media.ts'
import { installMediaElements } from './media/media-element.ts'
import { installMediaPictures } from './media/media-pictures.ts'
import { createVideoFrames, type VideoFrames } from './media/video-frames.ts'
import { createVolumes, type Volumes } from './media/volume.ts'
import { type Adapters, createAdapters } from './motion/adapters.ts'
import { type Animations, createAnimations } from './motion/animations.ts'
import { createSmil, type Smil } from './motion/smil.ts'
import { createTimelines, type Timelines } from './motion/timelines.ts'
import { natives, type Realm } from './natives.ts'
import { createIntersectionObservers } from './observers/intersection-observers.ts'
import { createResizeObservers, type Observers } from './observers/resize-observers.ts'
import { holdStyles } from './readiness/freeze-styles.ts'
import { createLetters, type Letters } from './readiness/glyphs.ts'
import { createPending, type Pending } from './readiness/pending.ts'
import { createBinder, createVariableLookup } from './variables.ts'
import { createWorkers, type Workers } from './workers/workers.ts'

/** Everything the runtime keeps of one page, its frames included. */
export interface Page {
  readonly config: PageConfig
  readonly realm: Realm
  readonly realms: Set<Realm>
  readonly clock: Clock
  readonly errors: PageErrors
  readonly timers: Timers
  readonly messages: Messages
  readonly workers: Workers
  readonly frames: Frames
  readonly pending: Pending
  /** Chance in every window of the page. */
  readonly random: Pick<Random, 'seed'>
  readonly listeners: Listeners
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly clips: Clips
  readonly layout: Layout
  readonly gradings: Gradings
  readonly instances: Instances
  readonly volumes: Volumes
  readonly media: Media
  readonly videoFrames: VideoFrames
  readonly smil: Smil
  readonly animatedImages: AnimatedImages
  readonly letters: Letters
  /** Observers of sizes and of what is in sight. */
  readonly observers: readonly Observers[]
  /** The windows of the document as it is now. */
  windows(): TimeWindows
  /** Makes another window of the page, a frame of the same origin, follow. */
  adopt(realm: Realm): void
  /** Lets go of the styles that kept the page at time 0. */
  release(): void
}

/** Builds the runtime of a top window, before any script of the page. */
export const createPage = (realm: Realm, config: PageConfig, accessor: () => object): Page => {
  const clock: Clock = { nowMs: 0, started: false }
  const errors = createErrors()
  const timers = createTimers(clock, errors)
  const frames = createFrames(clock, errors)
  const workers = createWorkers(clock, errors)
  const observers = [createResizeObservers(errors), createIntersectionObservers(clock, errors)]
  const messages = createMessages(timers, () => realms.size === 1)
  const pending = createPending(errors.rejected)
  const listeners = createListeners()
  const randoms: Random[] = []
  const told = new Set<string>()
  const tellOnce = (message: string) => {
    if (!told.has(message)) errors.add({ message })
    told.add(message)
  }
  const timelines = createTimelines(realm, errors, () => instances.list())
  const adapters = createAdapters({
    ...{ realm, clock, errors, timers, timelines },
    handovers: () => instances.list(),
  })
  const realms = new Set<Realm>()
  const releases: (() => void)[] = []
  const volumes = createVolumes()
  const layout = createLayout(realm, config)
  const bind = createBinder(config.variables)

  let current: TimeWindows | undefined
  const observer = new MutationObserver(() => refresh())
  // Also while a script of an embedded composition is inside a library, which then finds in that composition only.
  const documentScope = createDocumentScope(realm)
  const inWhole = <T>(call: () => T): T => documentScope.within(undefined, call)
  const refresh = () =>
    inWhole(() => {
      current = undefined
      bind(layout.markRoot())
      if (clock.started) layout.place()
    })
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: [
      ...['id', 'data-start', 'data-duration', 'data-end', 'data-composition-id', 'data-root'],
      ...['src', 'data-media-start', 'data-playback-start', 'data-playback-rate'],
    ],
  })

  const windows = (): TimeWindows => {
    if (observer.takeRecords().length) refresh()
    current ??= inWhole(() => readWindows(layout.markRoot(), timelines.lengthOf))
    return current
  }

  const startOf = (element: Element): number => windows().windowOf(element).start * 1000
  const instances = createInstances({
    realm,
    documentScope,
    accessor,
    adapters: () => adapters,
    windowOf: (host) => windows().windowOf(host),
  })
  const media = createMedia(realm, windows, volumes, () => refresh())
  const videoFrames = createVideoFrames(realm)
  const shadows = createShadows()
  const animations = createAnimations(clock, startOf, shadows.treesOf)
  const smil = createSmil(clock, startOf, shadows.treesOf)
  const animatedImages = createAnimatedImages(clock, startOf, shadows.treesOf)

  const adopt = (joining: Realm) => {
    realms.add(joining)
    errors.install(joining)
    animations.install(joining)
    installClock(joining, clock)
    const random = createRandom()
    randoms.push(random)
    installRandom(joining, random, tellOnce)
    timers.install(joining)
    installOwnClocks(joining, clock)
    workers.install(joining)
    messages.install(joining)
    for (const each of observers) each.install(joining)
    installViewTransitions(joining, errors)
    frames.install(joining)
    pending.install(joining)
    listeners.install(joining)
    volumes.install(joining)
    installMediaElements(joining, media, clock)
    smil.install(joining)
    animatedImages.install(joining)
    installMediaPictures(joining, { videoFrames, animatedImages })
    const hold = clock.started ? undefined : holdStyles(joining)
    if (hold) releases.push(hold.release)
    shadows.install(joining, (tree) => clock.started || hold?.include(tree))
    natives.listen.call(joining, 'pagehide', () => {
      if (joining.closed) realms.delete(joining)
    })
  }
  adopt(realm)

  return {
    config,
    realm,
    realms,
    clock,
    errors,
    timers,
    messages,
    workers,
    frames,
    pending,
    random: {
      seed(value) {
        for (const random of randoms) random.seed(value)
      },
    },
    listeners,
    timelines,
    adapters,
    animations,
    clips: createClips(realm),
    layout,
    gradings: createGradings(realm, createVariableLookup(config.variables)),
    instances,
    volumes,
    media,
    videoFrames,
    smil,
    animatedImages,
    observers,
    letters: createLetters(realms, shadows.treesOf),
    windows,
    adopt,
    release: () => {
      for (const release of releases) release()
    },
  }
}
