import type { BlankReport, MediaFacts, MediaShow } from './media.ts'
import type { PageOutline } from './outline.ts'
import type { PacketConfig } from './packets.ts'
import type { PageBox } from './page-box.ts'
import type { ProbeReport } from './probe.ts'
import type { RasterHost } from './raster.ts'
import type { MissingGlyphs, PageError, ReadyReport } from './readiness.ts'

/** The global of the top window that holds the `PageHost`. */
export const PAGE_HOST = '__vidHost'

/**
 * The driver's function in every window that opens shadow trees of the browser; the page takes it before scripts run.
 */
export const OPEN_TREES = '__vidOpenTrees'

/** Calls whose arguments and results are JSON. */
interface PageCalls {
  readiness(): ReadyReport
  /** Sets the facts of media sources; null for a source that cannot be used. */
  setMediaFacts(facts: Readonly<Record<string, MediaFacts | null>>): void
  /** Sets the pictures of videos in the coming frames; outside these frames they show nothing. */
  showMedia(shows: readonly MediaShow[]): void
  /** Whether the page can decode packets with this configuration. */
  canDecode(config: PacketConfig): Promise<boolean>
  /**
   * Replaces the pictures of videos, by id, with black until the next seek, so that only the rest of the page remains.
   */
  blankVideos(ids: readonly string[]): Promise<BlankReport>
  /** Freezes the page at time 0; called once, when ready. */
  begin(): ProbeReport
  /** Forward only; resolves when the DOM shows that frame, laid out again if `fresh` (see `paintFresh`). */
  seek(frame: number, fresh?: boolean): Promise<void>
  /**
   * Makes the browser lay out everything again for its next picture, so that it does not depend on earlier frames.
   * The whole page then counts as changed.
   */
  paintFresh(): void
  /**
   * Stops filtering the backdrops of turned and scaled elements, which screenshots show wrongly, until
   * `restoreTransformedBackdrops`; so does the raster capture of a frame that is compared.
   */
  hideTransformedBackdrops(): void
  restoreTransformedBackdrops(): void
  /** Lets the page continue: the requested shadow trees have been added. */
  hiddenTreesAdded(): void
  errors(): PageError[]
  /** Interfaces that scripts have used and that follow the real clock, by name. */
  realClocks(): string[]
  /** Characters of the page's text at present, each once, without the Latin ones. */
  characters(): string
  /** Which of `suspects` are drawn as boxes, and where. */
  missingGlyphs(suspects: string): MissingGlyphs[]
  /** The page's content over its whole length; after `begin`. */
  outline(): PageOutline
  /** The visible elements of the shown frame that are timed or have their own text, picture or background. */
  boxes(): readonly PageBox[]
  /**
   * Shows frames `start … start + frames - 1` and returns the gain of each of the probe's media in them. Unless
   * `isDrawn`, scripts draw nothing on canvases, which is much faster; the answer is null once they have read pixels.
   */
  volumes(start: number, frames: number, isDrawn: boolean): Promise<number[][] | null>
}

/** Calls with objects of the page, which a driver passes as handles. */
interface OverlayCalls {
  /** The element of a video, by its id. */
  videoElement(id: string): object | undefined
  /** A new video outside of the document, whose caption box becomes the container of an overlay canvas. */
  spareVideo(): object
  /**
   * Adds a canvas for decoded packets to a video. `shadow` is the user-agent shadow tree of the video and `spareShadow`
   * that of a spare video; only a driver can reach these, so no script or style of the page sees the canvas. Returns
   * false when the video has no room for a canvas.
   */
  addOverlayCanvas(id: string, shadow: object, spareShadow: object): boolean
}

/** Calls for animations in user-agent shadow trees, which only a driver can access. */
interface HiddenTreeCalls {
  /** An element with such a tree that the page has requested its driver to open. */
  hiddenHost(index: number): object | undefined
  /** Adds the tree of one of them. */
  addHiddenTree(tree: object): void
  /** A description of the element of an animation that stands still because the page does not seek it. */
  stillAnimation(animation: object): string | undefined
}

/** How a browser driver drives the page. */
export interface PageHost extends PageCalls, OverlayCalls, HiddenTreeCalls {
  readonly raster?: RasterHost
}

/** The JSON calls of a page host by name, those of its raster capture with the prefix `raster.`. */
export type PageMethods = PageCalls & {
  [K in keyof RasterHost as `raster.${K}`]: RasterHost[K]
}

/** The calls of a page host that take or return objects of the page, by name. */
export type PageObjectMethods = OverlayCalls & HiddenTreeCalls
