/** One thing that is seeked for each frame: a player of a library, or an adapter of the page. */
export interface Follower {
  readonly name?: string
  /** It follows the time of the nearest timed element here or around it. Without, that of the whole. */
  readonly element?: Element
  /** Given seconds; may return a promise. */
  seek(seconds: number): unknown
  /** Seconds, or a function that tells them. */
  duration?: unknown
}

/** The players of one library. */
export interface FollowerSource {
  followers(): Follower[]
  /** What is still loading, in words. */
  loading(): string[]
  /** Takes hold of what plays by now, so that only seeks move it. */
  begin(): void
  /** Whether any part of them calls page code as time passes. */
  hasCallbacks(): boolean
}
