import type { VidPlayer } from './vid-player.ts'
import { VidPlayerElement } from './vid-player-element.ts'

export { playerErrors } from './errors.ts'
export type { FrameRange, PlayerError, PlayerEventDetails, VidPlayer } from './vid-player.ts'
export { VidPlayerElement }

const { customElements: registry } = globalThis
// Importing the module is enough, also twice from two copies; where pages are made on a server there are no elements.
if (registry && !registry.get('vid-player')) registry.define('vid-player', VidPlayerElement)

declare global {
  interface HTMLElementTagNameMap {
    'vid-player': VidPlayer
  }
}
