/** Why something may be new in a frame. */
export type MomentCause = 'clip-start' | 'clip-end' | 'animation-start' | 'animation-end' | 'sound-onset' | 'picture'

/** A frame in which something begins, ends or appears. */
export interface Moment {
  readonly frame: number
  readonly causes: readonly {
    readonly cause: MomentCause
    /** The element or what animates, such as `#title`; left out for sounds and pictures. */
    readonly what?: string
  }[]
}

/** Consecutive frames that belong together. */
export interface CompositionState {
  readonly start: number
  /** The frame after the last. */
  readonly end: number
  /** False where every frame looks the same; true where something changes from frame to frame. */
  readonly isMoving: boolean
  /** The frame that stands for it. */
  readonly frame: number
  /** Index of an earlier state with an equal frame, if any. */
  readonly sameAs?: number
}

/** All distinct states of a composition: together they are all of its frames. */
export interface CompositionStates {
  readonly frames: number
  readonly states: readonly CompositionState[]
  readonly moments: readonly Moment[]
  /** Every frame whose picture is not that of the frame before, the first included. */
  readonly changes: readonly number[]
  /** Size of the pictures that were compared, in pixels. */
  readonly width: number
  readonly height: number
}
