import type { PendingPart, ReadyReport } from '../../contract/readiness.ts'
import { type Clock, realNowMs } from '../clock/clock.ts'
import type { Frames } from '../clock/frames.ts'
import type { Timers } from '../clock/timers.ts'
import type { HiddenTrees } from '../document/hidden-trees.ts'
import type { Layout } from '../document/layout.ts'
import type { AnimatedImages } from '../images/animated-images.ts'
import type { Adapters } from '../libraries/adapters.ts'
import type { Timelines } from '../libraries/timelines.ts'
import type { LateLoads } from '../loads/late-loads.ts'
import { findOpenResources } from '../loads/resources.ts'
import type { Media } from '../media/media.ts'
import type { Animations } from '../motion/animations.ts'
import type { Smil } from '../motion/smil.ts'
import type { Observers } from '../observers/observers.ts'
import { nextTask, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { asRuntime } from '../realm/runtime-reads.ts'
import type { Workers } from '../workers/workers.ts'
import { createLocalFaces } from './local-faces.ts'
import type { Pending } from './pending.ts'

/** The parts of the page that may delay its readiness. */
export interface ReadinessParts {
  readonly clock: Clock
  readonly realms: ReadonlySet<Realm>
  readonly errors: PageErrors
  readonly layout: Layout
  readonly timers: Timers
  readonly frames: Frames
  readonly workers: Workers
  readonly pending: Pending
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly hiddenTrees: HiddenTrees
  readonly smil: Smil
  readonly media: Media
  readonly animatedImages: AnimatedImages
  readonly lateLoads: LateLoads
  readonly treesOf: (realm: Realm) => (Document | ShadowRoot)[]
  readonly observers: readonly Observers[]
}

/** Limit on rounds of observer callbacks before the page begins; an endless series continues on the clock. */
const MAX_OBSERVED = 50

/** Tasks that must pass after the last pending result, so that its continuations have run. */
const QUIET_TASKS = 2

/**
 * Real time for which timers of a page without a length may run, since they may create its timeline, and checks that it
 * lasts at least: a page of a busy machine gets as many turns.
 */
const BUILDING = { ms: 1000, checks: 40 }

const MAX_ADDRESS_LENGTH = 200

const hasLength = ({ realms, timelines, adapters, animations }: ReadinessParts): boolean =>
  document.querySelector('[data-root="true"][data-duration],[data-vid-root][data-duration],[data-no-timeline]') !==
    null ||
  timelines.list().length > 0 ||
  adapters.list().length > 0 ||
  animations.playbacks.size > 0 ||
  [...realms].some(({ document }) => document.querySelector('[data-start]'))

/** Whether a library is loading although no request is pending; it may be waiting for one of its timers. */
const isLibraryWaiting = ({ adapters, pending }: ReadinessParts): boolean =>
  pending.parts.size === 0 && adapters.loading().length > 0

const short = (address: string) =>
  address.length > MAX_ADDRESS_LENGTH ? `${address.slice(0, MAX_ADDRESS_LENGTH)}…` : address

/** Conditions that delay only the beginning of a page. */
const openBeforeBegin = (page: ReadinessParts): PendingPart[] => {
  const parts: PendingPart[] = page.adapters.loading().map((detail) => ({ reason: 'promise', detail: short(detail) }))
  if (page.workers.isBusy) parts.push({ reason: 'promise', detail: 'a worker that has not answered' })
  if (page.timers.hasDue()) parts.push({ reason: 'promise', detail: 'timers that are due' })
  return parts
}

const openParts = (page: ReadinessParts): PendingPart[] => {
  const { started } = page.clock
  const parts: PendingPart[] = []
  const { readyState } = document
  if (readyState !== 'complete') parts.push({ reason: 'document', detail: readyState })
  if (!page.layout.markRoot()) parts.push({ reason: 'root', detail: 'no element has data-composition-id' })
  const { fonts, images } = findOpenResources(page.realms, page.treesOf)
  if (readyState === 'complete') page.lateLoads.request(page.realms)
  for (const font of fonts) parts.push({ reason: 'fonts', detail: `${font.family} ${font.weight} ${font.style}` })
  for (const image of images) parts.push({ reason: 'images', detail: short(image.currentSrc || image.src) })
  for (const src of started ? [] : page.animatedImages.unread()) parts.push({ reason: 'images', detail: short(src) })
  for (const src of page.media.unknown()) parts.push({ reason: 'media', detail: src })
  const loading = started ? [] : openBeforeBegin(page)
  for (const detail of page.pending.parts.values()) parts.push({ reason: 'promise', detail: short(detail) })
  return [...parts, ...loading]
}

/** A check that becomes false after it has been true for some real time, and for some checks. */
const forLimitedTime = (check: () => boolean) => {
  let since: number | undefined
  let checks = 0
  return (): boolean => {
    if (!check()) return false
    since ??= realNowMs()
    checks++
    return realNowMs() - since < BUILDING.ms || checks < BUILDING.checks
  }
}

/** Whether timers of a page without a length may still create its timeline; true for a limited time. */
const createBuildingCheck = (page: ReadinessParts) =>
  forLimitedTime(() => !hasLength(page) && page.timers.size + page.frames.size > 0)

/** Counts the tasks that have passed since it was reset. */
const createTaskCount = () => {
  let passed = 0
  let counting = false
  return {
    reset() {
      passed = 0
    },
    /** Whether enough tasks have passed; if not, waits for one more. */
    isQuiet(): boolean {
      if (passed >= QUIET_TASKS) return true
      if (!counting) {
        counting = true
        void nextTask().then(() => {
          counting = false
          passed++
        })
      }
      return false
    },
  }
}

/** Reports what the page waits for; before the page begins, runs needed timers in real time. */
export const createReadiness = (page: ReadinessParts): (() => ReadyReport) => {
  const tasks = createTaskCount()
  const isBuilding = createBuildingCheck(page)
  const localFaces = createLocalFaces(page.realms)
  const isBeginning = forLimitedTime(page.hiddenTrees.isBeginning)
  let observed = 0

  const runLoading = (pending: PendingPart[]) => {
    if (isBeginning()) pending.push({ reason: 'promise', detail: 'a marquee that has not begun' })
    if (page.hiddenTrees.hasClosed()) {
      void page.hiddenTrees.open()
      pending.push({ reason: 'promise', detail: 'shadow trees of the browser' })
    }
    page.animations.discover()
    void page.smil.sync()
    if (observed < MAX_OBSERVED && page.observers.map((observer) => observer.run()).includes(true)) {
      observed++
      pending.push({ reason: 'promise', detail: 'observers that have just been called' })
    }
    const isUnbuilt = !pending.length && isBuilding()
    if (isUnbuilt) pending.push({ reason: 'promise', detail: 'timers that may build what the page shows' })
    const isStuck =
      document.readyState === 'complete' &&
      (isUnbuilt || page.pending.named || isLibraryWaiting(page) || !page.layout.markRoot())
    page.timers.release(isStuck ? 'all' : 'none')
    page.frames.release(isStuck ? 'all' : 'none')
    if (pending.length) tasks.reset()
    else if (!tasks.isQuiet()) pending.push({ reason: 'promise', detail: 'scripts that have just been called' })
  }

  const report = (): ReadyReport => {
    if (!page.clock.started) localFaces.sync()
    const pending = openParts(page)
    if (!page.clock.started) runLoading(pending)
    return { ready: pending.length === 0, pending, errors: [...page.errors.list] }
  }
  return () => asRuntime(report)
}
