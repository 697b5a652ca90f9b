import type { PageCaptions } from './captions.ts'
import type { PlayerClip, PlayerMotion } from './player.ts'

/** The content of a page, over its whole length. */
export interface PageOutline {
  readonly clips: readonly PlayerClip[]
  /** In order of time, as they are before the first frame or have been since. */
  readonly motions: readonly PlayerMotion[]
  readonly captions: readonly PageCaptions[]
}
