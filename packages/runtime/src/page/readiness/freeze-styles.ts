import { createSheet } from '../document/sheet.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { isReachable } from '../realm/realms.ts'

/** The style sheets that freeze one loading window at time 0. */
export interface FrozenStyles {
  include(tree: ShadowRoot): void
  release(): void
}

/**
 * Keeps a loading window at time 0: its CSS animations are paused, and until its load event no style change starts a
 * transition, since the number of style computations until then depends on the network.
 */
const freeze = (realm: Realm): FrozenStyles => {
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
      if (!isReachable(realm)) return
      allowTransitions()
      animations.detach()
    },
  }
}

/** Keeps the loading windows of a page at time 0 until the page begins. */
export const createFreezeStyles = () => {
  const frozen: FrozenStyles[] = []
  return {
    /** Freezes a window; a shadow tree that it attaches is to be included. */
    install(realm: Realm): FrozenStyles {
      const styles = freeze(realm)
      frozen.push(styles)
      return styles
    },
    /** Lets the page's own play states and transitions apply. */
    release() {
      for (const { release } of frozen) release()
    },
  }
}
