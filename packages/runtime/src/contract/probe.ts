import type { PageMedia } from './media.ts'
import type { PageError } from './readiness.ts'

/** What is known of a page once its scripts have run. */
export interface ProbeReport {
  /** Seconds, from what the page contains; null when nothing says. Ignores the root's own `data-duration`. */
  readonly duration: number | null
  /** True when a frame depends on the frames before it, so that the page must be replayed from frame 0. */
  readonly stateful: boolean
  /** Why the page is stateful, in words; empty when it is not. */
  readonly because: readonly string[]
  /** True when scripts may change the volume of a media element over time. */
  readonly volumesMove: boolean
  /** True when only endless animations could say how long the page is. */
  readonly infinite?: boolean
  /** Keys of the registered timelines. */
  readonly timelines: readonly string[]
  readonly media: readonly PageMedia[]
  /** True when the root hides all that is behind it: nothing of the picture is transparent. */
  readonly covered: boolean
  /** Why nothing of the root can be seen in any frame, in words; left out when something may be. */
  readonly unseen?: string
  /** Embedded files that show nothing at any time: the tag of the host, its file as written, and why, in words. */
  readonly unseenEmbedded: readonly {
    readonly element: string
    readonly src: string
    readonly reason: string
  }[]
  /** Start tags of media that play without a `data-start`: their sound is left out. */
  readonly unheard: readonly string[]
  /** True when scripts may draw a video outside its window: the video then keeps its nearest frame. */
  readonly drawsVideos: boolean
  /** True when a script has made a WebGL context, whose drawing is slow without a GPU. */
  readonly drawsWebgl: boolean
  /** Addresses of animated images of which only the first frame is shown. */
  readonly stills: readonly string[]
  readonly errors: readonly PageError[]
}
