import type { PageConfig } from '../../contract/page-config.ts'
import type { PlayerHello, PlayerLaunch } from '../../contract/player.ts'
import { browser } from './player-natives.ts'

declare const __VID_CONFIG__: PageConfig

const readLaunch = (): PlayerLaunch | undefined => {
  try {
    const launch = JSON.parse(window.name) as PlayerLaunch | null
    return launch?.kind === 'vid-player' ? launch : undefined
  } catch {
    return undefined // opened without a player
  }
}

/**
 * Applies the player's settings from the name of the iframe, clears that name for scripts of the page, and notifies
 * the player. If the iframe's size differs from the composition's, loading of the page stops.
 */
export const applyLaunch = (): void => {
  const launch = readLaunch()
  if (launch === undefined) return
  window.name = ''
  const { width, height, variables } = __VID_CONFIG__
  Object.assign(variables, launch.variables)
  const fits = launch.isSized || (window.innerWidth === width && window.innerHeight === height)
  const hello: PlayerHello = { kind: 'vid-player-page', width, height, fits }
  browser.postToParent(hello, '*')
  if (!fits) window.stop()
}
