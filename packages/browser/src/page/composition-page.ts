import type { Probe, RenderPlan, Warning } from '@vid/kernel'
import type { PictureShare } from '@vid/runtime'
import type { FrameTicks } from './frame-ticks.ts'
import type { CapturePage } from './page.ts'

/** Frames whose decoded pictures one page of a session shares with another. */
export interface FrameShare {
  /** Name that only these two pages know. */
  readonly channel: string
  readonly role: PictureShare['role']
  readonly frames: readonly number[]
}

/** A loaded composition whose frames can be shown, forwards only. */
export interface CompositionPage {
  readonly page: CapturePage
  readonly ticks: FrameTicks
  readonly probe: Probe
  /** Whether each frame costs the drawing of all frames before it, with WebGL. */
  readonly isCostly: boolean
  /** The frame that is shown; -1 before the first. */
  shown(): number
  /** Advances to where one more seek shows the frame. */
  reach(frame: number): Promise<void>
  /** Shows a frame after the one that is shown; for a picture of it that is taken in any case, everything is placed anew. */
  seek(frame: number, forPicture: boolean): Promise<void>
  /** Places everything of the shown frame anew, so that its picture does not depend on earlier frames. */
  paintFresh(): Promise<void>
  /** Notes that a call which has been made shows frames up to `frame`; returns its result. */
  showing<T>(frame: number, call: Promise<T>): Promise<T>
  /** Whether scripts may change the volume of a media element over time. */
  readonly volumesMove: boolean
  /** Shows frames and gives each media element's gain in them, in document order. */
  volumes(start: number, frames: number): Promise<number[][]>
  /** Makes ready what the frames `shown() + 1 … end - 1` show of videos; `share` names frames that another page shows too. */
  prepare(plan: RenderPlan, start: number, end: number, share?: FrameShare): Promise<void>
  warn(warning: Warning): void
  /** Reports the script errors of the page so far, and the characters of its text that no font has; fails for what a script threw before the first frame. */
  reportErrors(): Promise<void>
}
