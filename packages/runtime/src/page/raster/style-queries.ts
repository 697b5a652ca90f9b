import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/**
 * Watches which elements the scripts of a page ask for computed styles, which show later changes too. `asked` is called
 * before the answer. The runtime itself asks through `natives`.
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
