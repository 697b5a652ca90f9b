import type { ProbeReport } from '../../contract/probe.ts'
import { listChapters } from '../document/chapters.ts'
import type { Clips } from '../document/clips.ts'
import { isCovered } from '../document/cover.ts'
import type { Layout } from '../document/layout.ts'
import { reportScrollTimelines } from '../document/scrolling.ts'
import type { TimeWindows } from '../document/windows.ts'
import { separateIds } from '../embedded/separate-ids.ts'
import type { AnimatedImages } from '../images/animated-images.ts'
import type { Adapters } from '../libraries/adapters.ts'
import { listCaptions } from '../media/caption-tracks.ts'
import type { Media } from '../media/media.ts'
import { ELEMENT_CANVAS } from '../raster/element-canvas.ts'
import type { Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import type { WebglUse } from '../realm/webgl-use.ts'
import { findLength } from './length.ts'
import { isSelfStarting } from './self-starting.ts'
import { startsNothing } from './starts.ts'
import { findStatefulness } from './statefulness.ts'
import { compositionSeconds, type EmbeddedSightParts, findUnseenEmbedded } from './unseen-embedded.ts'
import { findUnseen } from './unseen-root.ts'

/** The parts of the page that its beginning changes or reports about. */
export interface BeginParts extends EmbeddedSightParts {
  readonly clock: { started: boolean }
  readonly errors: PageErrors
  readonly layout: Layout
  readonly clips: Clips
  readonly adapters: Adapters
  readonly media: Media
  readonly animatedImages: AnimatedImages
  readonly webgl: WebglUse
  /** The styles that freeze the page at time 0. */
  readonly freezeStyles: { release(): void }
  windows(): TimeWindows
  treesOf(realm: Realm): readonly (Document | ShadowRoot)[]
  /** The elements of the document and its shadow trees that match a selector. */
  find(selector: string): Element[]
}

/** Ends loading: lays the page out, stops everything that plays on its own, and reports the page's content. */
export const beginPage = (page: BeginParts): ProbeReport => {
  const { animations, clips, layout, timelines, timers, frames } = page
  separateIds(document)
  const root = layout.markRoot()
  layout.place()
  layout.finish()
  timers.release('none')
  frames.release('none')
  timelines.pause()
  page.adapters.begin()
  clips.show(page.windows(), 0)
  animations.begin(page.freezeStyles.release)
  page.clock.started = true
  animations.sync(0)
  void page.smil.sync()
  const windows = page.windows()
  for (const message of windows.problems) page.errors.add({ message })
  reportScrollTimelines(window, animations.timelines(), page.errors.addOnce)
  const because = findStatefulness(page)
  animations.expect(startsNothing(page, windows, because) ? 'none' : 'any')
  const { duration, infinite } = findLength({ ...page, windows })
  const { adapters, listeners } = page
  const isStateful = because.length > 0
  const unseen = root ? findUnseen(page, root, isStateful) : undefined
  const seconds = compositionSeconds(root, duration)
  const isScripted = listeners.has('vid-seek', 'hf-seek') || adapters.mayChangeSound()
  return {
    duration,
    stateful: isStateful,
    because,
    callsAtOtherRate: frames.waitAtOtherRate(),
    selfStarting: !isStateful && isSelfStarting(page, windows),
    volumesMove: isStateful || isScripted || timelines.mayChange('volume') || timelines.mayChange('muted'),
    ...(infinite && { infinite }),
    media: page.media.list(seconds),
    captions: listCaptions(page.find('track') as HTMLTrackElement[], windows),
    chapters: listChapters(page.find('[data-chapter]'), windows),
    covered: isCovered(document.querySelector('[data-vid-root]')),
    ...(unseen !== undefined && { unseen }),
    unseenEmbedded: findUnseenEmbedded(page, windows, { seconds, isStateful }),
    unheard: page.media.unheard(),
    drawsVideos: page.find('canvas').length > 0,
    drawsWebgl: page.webgl.isUsed,
    drawsElements: document.querySelector(ELEMENT_CANVAS) !== null,
    stills: page.animatedImages.stills(),
    timelines: [...new Set(timelines.list().map(({ key }) => key))],
    errors: [...page.errors.list],
  }
}
