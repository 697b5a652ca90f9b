import type { MediaFacts, PageMedia } from './media.ts'
import type { PageBox } from './page-box.ts'
import type { PageConfig } from './page-config.ts'
import type { ProbeReport } from './probe.ts'
import type { PageError, PendingPart } from './readiness.ts'

/** Data that a prepared composition passes to its player, besides the settings of the page script. */
export interface PlayerSettings {
  /** Seconds that the source text states; null when only the page knows its length. */
  readonly duration: number | null
  /**
   * Path or address, with a trailing slash, at which a server answers requests about media, such as `/.vid/`; left out
   * without a server. `GET <base>facts?src=<source>` answers with `MediaFacts`, or null for a source that cannot be
   * used. `POST <base>shows` with a `ShowsRequest` answers with `MediaShow[]`, whose addresses the page loads. `GET
   * <base>sound?src=<source>&from=<sample>&count=<samples>` answers with a part of a source's sound: interleaved stereo
   * of 32-bit floats at 48 kHz, silent after its end. A server without it answers with an error.
   */
  readonly mediaBase?: string
  /** CSS that applies before any of the page, such as the `@font-face` rules of bundled fonts. */
  readonly css?: string
}

/** Body of a request for the pictures that videos show in some frames. */
export interface ShowsRequest {
  readonly media: readonly PageMedia[]
  /** Seconds of the whole composition. */
  readonly duration: number
  /** First frame, and how many. */
  readonly start: number
  readonly frames: number
  /** As in the probe's `drawsVideos`: a video keeps its nearest frame outside its window. */
  readonly hold: boolean
}

/**
 * Settings that a player passes to a page through the name of its iframe, as JSON, before any script of the page runs.
 */
export interface PlayerLaunch {
  readonly kind: 'vid-player'
  /** True if the iframe was set to the size of the composition; a different size is then the browser's, and final. */
  readonly isSized?: boolean
  /** Values that replace those of the prepared page. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/**
 * Sent by a page to its parent window when its script starts; the parent replies with a message that contains a port.
 */
export interface PlayerHello {
  readonly kind: 'vid-player-page'
  /** Size of the composition in CSS pixels. */
  readonly width: number
  readonly height: number
  /**
   * False if the iframe has another size: the page has stopped loading, and must be loaded in an iframe of this size.
   */
  readonly fits: boolean
}

/** The message by which a parent window gives the page its port. */
export const PLAYER_PORT = 'vid-player-port'

/** A timed element of the page, with its resolved window. */
export interface PlayerClip {
  readonly kind: 'video' | 'audio' | 'composition' | 'element'
  /** DOM id; empty when it has none. */
  readonly id: string
  readonly tag: string
  /** Position among all elements with `data-start` or `data-composition-src`, in document order. */
  readonly index: number
  /** Text to show: `data-name`, `data-label`, composition id, DOM id, file name or tag. */
  readonly name: string
  readonly track: number
  /** Seconds of the whole composition; `end` is null when only the composition's end limits it. */
  readonly start: number
  readonly end: number | null
  /** Id in the probe's media; null for what is no media. */
  readonly mediaId: string | null
  /** Timed elements of the composition that it embeds. */
  readonly clips: readonly PlayerClip[]
}

/** A time in which an animation of the page moves elements. */
export interface PlayerMotion {
  /**
   * The element as a selector writes it, such as `#title` or `.word`; the key of a timeline whose parts are not known.
   */
  readonly target: string
  /** The kind of animation; `timeline` for an object of the page with unknown parts. */
  readonly kind: 'css' | 'waapi' | 'gsap' | 'anime' | 'lottie' | 'timeline'
  /** The name of the keyframes or of the animation. */
  readonly name: string
  /** The properties that it changes, as the page writes them, such as `opacity` or `y`; empty if unknown. */
  readonly properties: readonly string[]
  /** Seconds of the whole composition; `end` is null when it repeats without an end. */
  readonly start: number
  readonly end: number | null
}

/** Facts about a composition that is ready. */
export interface PlayerComposition {
  readonly width: number
  readonly height: number
  /** Frames in a second are `fps / fpsDivisor`. */
  readonly fps: number
  readonly fpsDivisor: number
  /** Seconds; null if neither the text nor the page determines it. */
  readonly duration: number | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly probe: ProbeReport
  /** Facts by source; null for a source that cannot be used. */
  readonly facts: Readonly<Record<string, MediaFacts | null>>
  /** True when the facts are those of a render: a server has read the sources. A browser's own are estimates. */
  readonly hasServer: boolean
  readonly clips: readonly PlayerClip[]
  /** Animations of elements in order of time, as they are before the first frame. */
  readonly motions: readonly PlayerMotion[]
  /** Milliseconds of real time from the start of the page's script until it was ready. */
  readonly readyMs: number
}

/** How a frame is to be shown. */
export interface FrameRequest {
  readonly frame: number
  /** Speed at which videos play on their own; 0 for a still picture, which must equal the rendered one. */
  readonly rate: number
}

/** A page's report about a shown frame. */
export interface FrameReport {
  readonly frame: number
  /** Gain of each of the probe's media at this frame. */
  readonly gains: readonly number[]
  /** Errors of the page's scripts since the last report. */
  readonly errors: readonly PageError[]
  /** Ids of videos that show a picture of the browser's own decoding instead of the one that a render shows. */
  readonly approximate: readonly string[]
}

/** The reason why a page could not carry out a request of its player. */
export interface PlayerFault {
  /** `not-ready`: it waits for something that did not come; `script`: it failed inside the page. */
  readonly kind: 'not-ready' | 'script'
  readonly message: string
  readonly pending?: readonly PendingPart[]
}

/** What an element has from now on in its source: shown until the page is loaded with it. */
export interface ElementPatch {
  /** DOM id, or the path of a `PageBox`, which has a slash. */
  readonly id: string
  readonly attributes?: Readonly<Record<string, string>>
  /** Inline styles by property; null removes one. */
  readonly styles?: Readonly<Record<string, string | null>>
  readonly text?: string
}

/** The calls of a player to its page, whose arguments and results are JSON, except the bytes of a source. */
export interface PlayerPageCalls {
  /** Waits until the page is ready, and begins it; called once. */
  open(): Promise<PlayerComposition>
  /** Shows a frame. A page goes back too, unless it is stateful or spent: then it rejects. */
  show(request: FrameRequest): Promise<FrameReport>
  /** The first frame at which much is visible; 0 for a stateful page, which would have to be replayed. */
  findPoster(): Promise<number>
  /** Changes elements as they stand, and shows the frame again; elements that are not there are left out. */
  patch(patches: readonly ElementPatch[]): Promise<void>
  /** What can be seen in the frame that is shown, and where, in document order. */
  boxes(): Promise<readonly PageBox[]>
  /** Bytes of a source of the probe, read by the page; null when it cannot read them. */
  readSource(src: string): Promise<ArrayBuffer | null>
  /** Samples `from … from + count - 1` of a source's sound, as a server has decoded it; null when none has. */
  readSound(src: string, from: number, count: number): Promise<ArrayBuffer | null>
}

/** Unrequested reports of a page to its player. */
export interface PlayerPageEvents {
  /** The page waits for these before it is ready. */
  readonly pending: readonly PendingPart[]
  /** A replay has reached this frame. */
  readonly replayed: number
  /** Something has started by itself: the page can only go forwards from now on. */
  readonly spent: true
}

/** A message of the player to the page. */
export type PlayerRequest = {
  [K in keyof PlayerPageCalls]: {
    readonly id: number
    readonly call: K
    readonly args: Parameters<PlayerPageCalls[K]>
  }
}[keyof PlayerPageCalls]

/** A message of the page to the player. */
export type PlayerMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: PlayerFault }
  | {
      [K in keyof PlayerPageEvents]: { readonly event: K; readonly detail: PlayerPageEvents[K] }
    }[keyof PlayerPageEvents]

/** The prefix that makes a document playable. */
export interface PlayerScript {
  readonly config: PageConfig
  readonly settings: PlayerSettings
}
