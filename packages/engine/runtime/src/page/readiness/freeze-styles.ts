import { createSheet } from '../document/sheet.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { isReachable } from '../realm/realms.ts'
import { createLoadTransitions } from './load-transitions.ts'

/** The style sheets that freeze one loading window at time 0. */
export interface FrozenStyles {
  include(tree: ShadowRoot): void
  release(): void
}

/** Keeps a loading window at time 0: its CSS animations are paused, and its transitions start as they would everywhere. */
const freeze = (realm: Realm): FrozenStyles => {
  const animations = createSheet(realm, '*,::before,::after{animation-play-state:paused!important}')
  const transitions = createLoadTransitions(realm)
  natives.listen.call(realm, 'load', transitions.allow, { capture: true, once: true })
  return {
    include(tree) {
      animations.include(tree)
      transitions.include(tree)
    },
    release() {
      if (!isReachable(realm)) return
      transitions.allow()
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
