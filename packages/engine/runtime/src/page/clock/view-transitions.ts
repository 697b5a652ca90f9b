import type { Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'

type Update = (() => unknown) | { readonly update?: (() => unknown) | null } | null | undefined

const CUT =
  'A view transition is shown as a cut, because the browser stops the page between the two states; animate the elements themselves.'

/**
 * Makes view transitions change the page at once, since a real one would stop the page until the browser has drawn it.
 */
export const installViewTransitions = (realm: Realm, errors: PageErrors): void => {
  const start = (argument?: Update) => {
    errors.addOnce(CUT)
    const update = typeof argument === 'function' ? argument : argument?.update
    const updated = Promise.resolve().then(async () => {
      await update?.()
    })
    // As in browsers, a failure that the page does not catch is reported for the first of the three alone.
    const updateCallbackDone = updated.then()
    const ready = updated.then()
    const finished = updated.then()
    for (const promise of [ready, finished]) promise.catch(() => undefined)
    return { updateCallbackDone, ready, finished, types: new Set<string>(), skipTransition: () => undefined }
  }
  for (const proto of [realm.Document.prototype, realm.Element.prototype])
    if ('startViewTransition' in proto)
      Object.defineProperty(proto, 'startViewTransition', {
        value: start,
        writable: true,
        configurable: true,
        enumerable: true,
      })
}
