import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** Types of events that the page has listened to, which decide whether it must be replayed. */
export interface Listeners {
  install(realm: Realm): void
  has(...types: string[]): boolean
  /** Whether there are other types. */
  hasOtherThan(...types: string[]): boolean
}

/** Creates an empty record. */
export const createListeners = (): Listeners => {
  const seen = new Set<string>()
  return {
    has: (...types) => types.some((type) => seen.has(type)),
    hasOtherThan: (...types) => [...seen].some((type) => !types.includes(type)),
    install(realm) {
      const proto = realm.EventTarget.prototype
      const { addEventListener } = proto
      replaceMethod(proto, 'addEventListener', function (this: EventTarget, type, listener, options) {
        seen.add(String(type))
        addEventListener.call(this ?? realm, type, listener, options)
      })
      const animation = realm.Animation.prototype
      for (const key of ['finished', 'onfinish'] as const) {
        const native = Object.getOwnPropertyDescriptor(animation, key)
        if (!native) continue
        const note = <A extends unknown[]>(call: ((...args: A) => unknown) | undefined) =>
          call &&
          function (this: Animation, ...args: A) {
            seen.add('finish')
            return call.apply(this, args)
          }
        Object.defineProperty(animation, key, {
          ...native,
          get: key === 'finished' ? note(native.get) : native.get,
          set: note(native.set),
        } as PropertyDescriptor)
      }
    },
  }
}
