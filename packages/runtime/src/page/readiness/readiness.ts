import type { PendingPart, ReadyReport } from '../../contract.ts'
import { realNowMs } from '../clock/clock.ts'
import { nextTask } from '../natives.ts'
import type { Page } from '../page.ts'
import { findOpenResources } from './resources.ts'

/** Times that observers are called before the page begins; what they change for ever goes on with the clock. */
const MOST_OBSERVED = 50

/** Tasks that must pass once nothing is open, so that what waited for the last thing has run. */
const QUIET_TASKS = 2

/** Real time for which timers of a page that shows no length yet may run, in the hope that they build it. */
const BUILDING_MS = 1000

const hasLength = ({ realms, timelines, adapters, animations }: Page): boolean =>
  document.querySelector(
    '[data-root="true"][data-duration],[data-vid-root][data-duration],[data-no-timeline]',
  ) !== null ||
  timelines.list().length > 0 ||
  adapters.list().length > 0 ||
  animations.playbacks.size > 0 ||
  [...realms].some(({ document }) => document.querySelector('[data-start]'))

/** Whether a library loads something with nothing under way that would end it: it may wait for a timer of its own. */
const isLibraryWaiting = ({ adapters, pending }: Page): boolean =>
  pending.parts.size === 0 && adapters.loading().length > 0

const short = (address: string) => (address.length > 200 ? `${address.slice(0, 200)}…` : address)

const openParts = (page: Page): PendingPart[] => {
  const parts: PendingPart[] = []
  const { readyState } = document
  if (readyState !== 'complete') parts.push({ reason: 'document', detail: readyState })
  if (!page.layout.markRoot()) parts.push({ reason: 'root', detail: 'no element has data-composition-id' })
  const { fonts, images } = findOpenResources(page.realms)
  for (const font of fonts)
    parts.push({ reason: 'fonts', detail: `${font.family} ${font.weight} ${font.style}` })
  for (const image of images) parts.push({ reason: 'images', detail: short(image.currentSrc || image.src) })
  for (const src of page.clock.started ? [] : page.animatedImages.unknown())
    parts.push({ reason: 'images', detail: short(src) })
  for (const src of page.media.unknown()) parts.push({ reason: 'media', detail: src })
  const loading = page.clock.started ? [] : page.adapters.loading()
  for (const detail of [...page.pending.parts.values(), ...loading])
    parts.push({ reason: 'promise', detail: short(detail) })
  if (!page.clock.started && page.workers.isBusy)
    parts.push({ reason: 'promise', detail: 'a worker that has not answered' })
  if (!page.clock.started && page.timers.hasDue())
    parts.push({ reason: 'promise', detail: 'timers due at once' })
  return parts
}

/** Reports what the page waits for; before it begins, lets timers run that something waits for. */
export const createReadiness = (page: Page): (() => ReadyReport) => {
  let quiet = 0
  let observed = 0
  let counting = false
  let builtSince: number | undefined
  const isBuilding = () => {
    if (hasLength(page) || page.timers.size + page.frames.size === 0) return false
    builtSince ??= realNowMs()
    return realNowMs() - builtSince < BUILDING_MS
  }
  const countTask = async () => {
    if (counting) return
    counting = true
    await nextTask()
    counting = false
    quiet++
  }
  return () => {
    const pending = openParts(page)
    if (!page.clock.started) {
      page.animations.discover()
      void page.smil.sync()
      if (observed < MOST_OBSERVED && page.observers.map((each) => each.run()).includes(true)) {
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
      if (pending.length) quiet = 0
      else if (quiet < QUIET_TASKS) {
        void countTask()
        pending.push({ reason: 'promise', detail: 'scripts that have just been called' })
      }
    }
    return { ready: pending.length === 0, pending, errors: [...page.errors.list] }
  }
}
