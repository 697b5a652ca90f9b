/** An object that is seeked for each frame: a player of a library, or an adapter of the page. */
export interface Follower {
  readonly name?: string
  /** It follows the time of this element or its nearest timed ancestor; if left out, that of the composition. */
  readonly element?: Element
  /** May return a promise. */
  seek(seconds: number): unknown
  /** Is called in each frame after the clips are shown or hidden, also at times to which it is not seeked. */
  update?(): void
  /** Whether it leaves all sounds as they are, so that their gains are sampled without it. */
  readonly silent?: boolean
  /** Seconds, or a function that returns them. */
  duration?: unknown
  /** The elements that it moves, if known. */
  parts?(): readonly FollowerPart[]
}

/** A motion of a follower, in seconds of its own time; `end` may be Infinity. */
export interface FollowerPart {
  readonly targets: readonly Element[]
  readonly properties: readonly string[]
  readonly start: number
  readonly end: number
}

/** The players of one library. */
export interface FollowerSource {
  followers(): Follower[]
  /** Descriptions of pending loads. */
  loading(): string[]
  /** Stops all playback, so that only seeks move the players. */
  begin(): void
  /** Whether any part of them calls page code as time passes. */
  hasCallbacks(): boolean
}
