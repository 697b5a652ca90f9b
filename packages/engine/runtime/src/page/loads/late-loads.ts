import type { Shadows } from '../document/shadows.ts'
import type { Realm } from '../realm/natives.ts'
import type { RuleWatches } from '../styles/rule-watch.ts'
import { createElementLoads, type TrackLoad } from './element-loads.ts'
import { watchImageLoads } from './image-loads.ts'
import { createStyleImages } from './style-images.ts'

/** Files that a loaded page begins to load, which a browser draws as soon as they are there: a frame waits for them. */
export interface LateLoads {
  install(realm: Realm): void
  /** Requests what elements have begun to show. */
  request(realms: Iterable<Realm>): void
}

/** Creates the list; `track` has a frame wait. */
export const createLateLoads = (shadows: Shadows, ruleWatches: RuleWatches, track: TrackLoad): LateLoads => {
  const elements = createElementLoads(shadows, track)
  const styleImages = createStyleImages(shadows.treesOf, ruleWatches, track)
  return {
    install(realm) {
      elements.install(realm)
      styleImages.install(realm)
      watchImageLoads(realm, track)
    },
    request(realms) {
      elements.request()
      styleImages.request(realms)
    },
  }
}
