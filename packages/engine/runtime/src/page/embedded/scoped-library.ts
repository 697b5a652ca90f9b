import { isAnime } from '../libraries/anime.ts'

/** Libraries, by the names of their globals, with selectors that search in the calling script's instance. */
export const LIBRARIES = ['anime', 'lottie', 'bodymovin', 'd3', 'SplitText', 'Flip'] as const

/** Runs a call during which queries of the page's document search only in one instance. */
export type Within = <T>(call: () => T) => T

type Callable = (...args: unknown[]) => unknown

/** Methods of an anime.js timeline that take targets. */
const ON_TIMELINE = ['add', 'set', 'remove']

/** Also an object without a prototype, for which `instanceof Object` is false. */
const isNamespace = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/** Makes libraries find their targets in one instance; everything else is the page's library. */
export const createLibraryScope = (within: Within) => {
  const scopedOf = new WeakMap<object, object>()
  const realOf = new WeakMap<object, object>()
  const unscoped = (value: unknown): unknown =>
    typeof value === 'function' || isNamespace(value) ? (realOf.get(value) ?? value) : value

  const scopeResult = (result: unknown): unknown => {
    if (!(result instanceof Object) || !isAnime(result)) return result
    for (const name of ON_TIMELINE) {
      const method: unknown = Reflect.get(result, name)
      if (typeof method !== 'function' || Object.hasOwn(result, name)) continue
      const value = (...args: unknown[]): unknown => within(() => Reflect.apply(method, result, args))
      Object.defineProperty(result, name, { value, configurable: true, writable: true })
    }
    return result
  }

  const scoped = (real: unknown): unknown => {
    if (typeof real !== 'function' && !isNamespace(real)) return real
    const before = scopedOf.get(real)
    if (before) return before
    // A namespace may be frozen, which would fix what its proxy returns; an empty target does not.
    const proxy: object = new Proxy((typeof real === 'function' ? real : {}) as Callable, {
      get(target, key) {
        const value: unknown = Reflect.get(real, key)
        const descriptor = Reflect.getOwnPropertyDescriptor(target, key)
        const isFixed = descriptor && !descriptor.configurable && !descriptor.writable
        return isFixed || key === 'prototype' || key === 'constructor' ? value : scoped(value)
      },
      has: (_target, key) => Reflect.has(real, key),
      set: (_target, key, value) => Reflect.set(real, key, value),
      ownKeys: () => Reflect.ownKeys(real),
      getOwnPropertyDescriptor(target, key) {
        const descriptor = Reflect.getOwnPropertyDescriptor(real, key)
        return descriptor && { ...descriptor, configurable: target !== real || descriptor.configurable === true }
      },
      apply: (target, self, args) => scopeResult(within(() => Reflect.apply(target, unscoped(self), args))),
      construct: (target, args, newTarget) =>
        within(() => Reflect.construct(target, args, newTarget === proxy ? target : newTarget)),
    })
    scopedOf.set(real, proxy)
    realOf.set(proxy, real)
    return proxy
  }
  return { scoped, unscoped }
}
