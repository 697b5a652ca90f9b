import { createSheet } from '../document/sheet.ts'
import { natives, type Realm } from '../natives.ts'

/** What keeps a loading window at time 0. */
export interface Hold {
  include(tree: ShadowRoot): void
  release(): void
}

/**
 * Keeps a loading window at time 0: its CSS animations stand, and until its load event no style change is a
 * transition, since how often styles are computed until then is a matter of the network.
 */
export const holdStyles = (realm: Realm): Hold => {
  const animations = createSheet(realm, '*,::before,::after{animation-play-state:paused!important}')
  const transitions = createSheet(realm, '*,::before,::after{transition:none!important}')
  const computeStyles = () => void realm.document.documentElement?.offsetHeight
  const allowTransitions = () => {
    computeStyles()
    transitions.detach()
    computeStyles()
  }
  natives.listen.call(realm, 'load', allowTransitions, { capture: true, once: true })
  return {
    include(tree) {
      animations.include(tree)
      if (realm.document.readyState !== 'complete') transitions.include(tree)
    },
    release() {
      allowTransitions()
      animations.detach()
    },
  }
}
