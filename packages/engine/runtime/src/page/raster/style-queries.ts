import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/**
 * Watches queries of computed styles by scripts of a page; the returned objects are live. `asked` is called
 * before each result. The runtime itself queries through `natives`.
 */
export const watchStyleQueries = (realm: Realm, onQuery: (element: Element) => void): void => {
  replaceMethod(realm, 'getComputedStyle', (element, pseudo) => {
    if (element instanceof realm.Element) onQuery(element)
    return natives.getComputedStyle(element, pseudo)
  })
  const { prototype } = realm.Element
  const { computedStyleMap } = prototype
  if (computedStyleMap)
    replaceMethod(prototype, 'computedStyleMap', function (this: Element) {
      onQuery(this)
      return computedStyleMap.call(this)
    })
}
