/** One thing that is seeked for each frame: a player of a library, or an adapter of the page. */
export interface Follower {
  readonly name?: string
  /** It follows the time of the nearest timed element at or around this one; without it, that of the whole. */
  readonly element?: Element
  /** May return a promise. */
  seek(seconds: number): unknown
  /** Seconds, or a function that returns them. */
  duration?: unknown
  /** What it moves, where that is known. */
  parts?(): readonly FollowerPart[]
}

/** A part of what a follower moves; seconds of its own time, `end` may be Infinity. */
export interface FollowerPart {
  readonly targets: readonly Element[]
  readonly properties: readonly string[]
  readonly start: number
  readonly end: number
}

/** The players of one library. */
export interface FollowerSource {
  followers(): Follower[]
  /** What is still loading, in words. */
  loading(): string[]
  /** Stops what plays, so that only seeks move it. */
  begin(): void
  /** Whether any part of them calls page code as time passes. */
  hasCallbacks(): boolean
}
