import type { Probe } from '@vid/kernel'
import type { RenderPlan, Warning } from '@vid/protocol'
import type { GainEnvelope, PictureShare } from '@vid/runtime'
import type { FrameTicks } from './frame-ticks.ts'
import type { CapturePage } from './page.ts'

/** Frames with decoded pictures that two pages of a session share. */
export interface FrameShare {
  /** Name that only these two pages know. */
  readonly channel: string
  readonly role: PictureShare['role']
  readonly frames: readonly number[]
}

/** A loaded composition that can show frames, forwards only. */
export interface CompositionPage {
  readonly page: CapturePage
  readonly ticks: FrameTicks
  readonly probe: Probe
  /** Whether showing a frame requires drawing all earlier frames with WebGL. */
  readonly isCostly: boolean
  /** Whether frame callbacks wait that most windows call at another rate, of which the root says nothing. */
  readonly callsAtOtherRate: boolean
  /** Whether scripts draw elements on a canvas while a frame is painted, which only the next one shows. */
  readonly drawsElements: boolean
  /** The frame that is shown; -1 before the first. */
  shown(): number
  /** Advances until one more seek shows the frame. */
  reach(frame: number): Promise<void>
  /** Shows a later frame; if its picture is taken in any case, everything is laid out again. */
  seek(frame: number, forPicture: boolean): Promise<void>
  /** Lays out the shown frame again, so that its picture does not depend on earlier frames. */
  paintFresh(): Promise<void>
  /** Records that a pending call shows frames up to `frame`; returns the call's result. */
  showing<T>(frame: number, call: Promise<T>): Promise<T>
  /** What attributes do to the gain of each media element, in document order. */
  readonly envelopes: readonly (GainEnvelope | undefined)[]
  /** Whether scripts may change the volume of a media element over time. */
  readonly volumesMove: boolean
  /**
   * Shows frames and returns each media element's gain in them, in document order. Unless `isDrawn`, scripts draw nothing
   * on canvases; the answer is null once they have read pixels.
   */
  volumes(start: number, frames: number, isDrawn: boolean): Promise<number[][] | null>
  /**
   * Prepares the video pictures of the frames `shown() + 1 … end - 1`; `share` names frames that another page also
   * shows.
   */
  prepare(plan: RenderPlan, start: number, end: number, share?: FrameShare): Promise<void>
  warn(warning: Warning): void
  /**
   * Reports the script errors of the page so far, and characters without a font; rejects if a script threw before the
   * first frame.
   */
  reportErrors(): Promise<void>
}
