import type { PageErrors } from '../errors.ts'
import type { Realm } from '../natives.ts'

type Update = (() => unknown) | { readonly update?: (() => unknown) | null } | null | undefined

const CUT =
  'a view transition is shown as a cut: the browser holds the page still between its two states, which no frame can wait for; animate the elements themselves'

/** Makes view transitions change the page at once: a real one stops the page until the browser has drawn it. */
export const installViewTransitions = (realm: Realm, errors: PageErrors): void => {
  let told = false
  const start = (given?: Update) => {
    if (!told) errors.add({ message: CUT })
    told = true
    const update = typeof given === 'function' ? given : given?.update
    const updated = Promise.resolve().then(async () => {
      await update?.()
    })
    // As in browsers, a failure that the page does not catch is reported for the first of the three alone.
    const [updateCallbackDone, ready, finished] = [updated.then(), updated.then(), updated.then()]
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
