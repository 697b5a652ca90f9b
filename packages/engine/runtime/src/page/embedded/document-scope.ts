import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import type { ScopedQuery } from './scoped-query.ts'

/** Limits queries of the page's document to one instance while its script is calling a library. */
export interface DocumentScope {
  within<T>(query: ScopedQuery | undefined, call: () => T): T
}

/** Creates the scope of a window's document; its methods are native until an instance limits them. */
export const createDocumentScope = (realm: Realm): DocumentScope => {
  let current: ScopedQuery | undefined
  let isInstalled = false

  const install = () => {
    isInstalled = true
    const proto = realm.Document.prototype
    const { querySelector, querySelectorAll, getElementById } = proto
    const queryFor = (document: Document) => (document === realm.document ? current : undefined)
    replaceMethod(proto, 'querySelector', function (this: Document, selector: string) {
      const query = queryFor(this)
      return query ? query.one(selector) : querySelector.call(this, selector)
    })
    replaceMethod(proto, 'querySelectorAll', function (this: Document, selector: string) {
      const query = queryFor(this)
      return query ? query.all(selector) : querySelectorAll.call(this, selector)
    } as typeof querySelectorAll)
    replaceMethod(proto, 'getElementById', function (this: Document, id: string) {
      const query = queryFor(this)
      return query ? (query.one(`#${CSS.escape(id)}`) as HTMLElement | null) : getElementById.call(this, id)
    })
  }

  return {
    within(query, call) {
      if (query && !isInstalled) install()
      const before = current
      current = query
      try {
        return call()
      } finally {
        current = before
      }
    },
  }
}
