import type { PageCaptions } from './captions.ts'
import type { PageChapter } from './chapters.ts'
import type { PageMedia } from './media.ts'
import type { PageError } from './readiness.ts'

/** Facts about a page after its scripts have run. */
export interface ProbeReport {
  /** Length in seconds from the page's content; null if nothing determines it. Ignores the root's `data-duration`. */
  readonly duration: number | null
  /** True when a frame depends on the frames before it, so that the page must be replayed from frame 0. */
  readonly stateful: boolean
  /** The reasons why the page is stateful; empty if it is not. */
  readonly because: readonly string[]
  /** True when frame callbacks wait that most windows call at another rate, of which the root says nothing. */
  readonly callsAtOtherRate: boolean
  /** True when transitions or animations may start in the middle by themselves, so that no frame may be left out. */
  readonly selfStarting: boolean
  /** True when scripts may change the volume of a media element over time. */
  readonly volumesMove: boolean
  /** True if only endless animations could determine the length of the page. */
  readonly infinite?: boolean
  /** Keys of the registered timelines. */
  readonly timelines: readonly string[]
  readonly media: readonly PageMedia[]
  /** Tracks with captions or subtitles that are not hidden, in document order. */
  readonly captions: readonly PageCaptions[]
  /** Chapters of clips that are not hidden, in document order. */
  readonly chapters: readonly PageChapter[]
  /** True if the root covers everything behind it, so that the picture is opaque. */
  readonly covered: boolean
  /** The reason why the root is invisible in every frame; left out if it may be visible. */
  readonly unseen?: string
  /** Embedded files that show nothing at any time: the tag of the host, its file as written, and the reason. */
  readonly unseenEmbedded: readonly {
    readonly element: string
    readonly src: string
    readonly reason: string
  }[]
  /** Start tags of media that play without a `data-start`: their sound is left out. */
  readonly unheard: readonly string[]
  /** True when scripts may draw a video outside its window: the video then keeps its nearest frame. */
  readonly drawsVideos: boolean
  /** True if a script has created a WebGL context, which draws slowly without a GPU. */
  readonly drawsWebgl: boolean
  /** True if the page has a canvas that draws elements, in its `paint` event. */
  readonly drawsElements: boolean
  /** Addresses of animated images of which only the first frame is shown. */
  readonly stills: readonly string[]
  readonly errors: readonly PageError[]
}
