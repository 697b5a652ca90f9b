import type { PlayerClip, PlayerMotion } from './player.ts'

/** What a page holds, over its whole length. */
export interface PageOutline {
  readonly clips: readonly PlayerClip[]
  /** In order of time, as they are before the first frame or were since. */
  readonly motions: readonly PlayerMotion[]
}
