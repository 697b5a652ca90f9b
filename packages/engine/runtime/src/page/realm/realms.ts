import type { Realm } from './natives.ts'

/** Whether a window is open and shows a document of the page's origin. */
export const isReachable = (realm: Realm): boolean => {
  try {
    return !realm.closed && realm.document !== null
  } catch {
    return false
  }
}

class Realms extends Set<Realm> {
  override *[Symbol.iterator](): SetIterator<Realm> {
    for (const realm of super[Symbol.iterator]())
      if (isReachable(realm)) yield realm
      else this.delete(realm)
  }
}

/** Creates the set of a page's windows. One that is closed, or shows a document of another origin by now, is forgotten. */
export const createRealms = (): Set<Realm> => new Realms()
