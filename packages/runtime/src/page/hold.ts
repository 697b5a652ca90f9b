import { natives, type Realm } from './natives.ts'
import { createSheet } from './sheet.ts'

/**
 * Keeps a loading window at time 0: its CSS animations stand, and until its load event no style change is a
 * transition, since how often styles are computed until then is a matter of the network. Returns what ends it.
 */
export const holdStyles = (realm: Realm): (() => void) => {
  const animations = createSheet(realm, '*,::before,::after{animation-play-state:paused!important}')
  const transitions = createSheet(realm, '*,::before,::after{transition:none!important}')
  const settle = () => {
    if (realm.document.readyState !== 'complete') return
    void realm.document.documentElement?.offsetHeight
    transitions.detach()
    void realm.document.documentElement?.offsetHeight
  }
  natives.listen.call(realm, 'load', settle, { capture: true, once: true })
  return () => {
    settle()
    transitions.detach()
    animations.detach()
  }
}
