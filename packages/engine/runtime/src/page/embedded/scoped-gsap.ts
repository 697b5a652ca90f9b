import { createGsapTargets, type GsapFunction } from './gsap-targets.ts'
import type { ScopedQuery } from './scoped-query.ts'

const TARGETED = ['to', 'from', 'fromTo', 'set', 'killTweensOf', 'getTweensOf', 'isTweening', 'quickTo', 'quickSetter']
const ON_TIMELINE = [...TARGETED, 'staggerTo', 'staggerFrom', 'staggerFromTo']

/** A GSAP with selectors that search in one instance; everything else is the page's GSAP. */
export const createScopedGsap = (real: object, query: ScopedQuery): object => {
  const { find, resolve, first, targeted, limitedTo } = createGsapTargets(query)

  const scopeTimeline = (timeline: object): object => {
    for (const name of ON_TIMELINE) {
      const method: unknown = Reflect.get(timeline, name)
      if (typeof method === 'function')
        Object.defineProperty(timeline, name, {
          value: targeted(timeline, method as GsapFunction),
          configurable: true,
          writable: true,
        })
    }
    return timeline
  }

  const proxyOf = (
    owner: object,
    overrides: (name: string, method: GsapFunction) => GsapFunction | undefined,
  ): object =>
    new Proxy(owner, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (value instanceof Object && key === 'utils') return utils(value)
        if (value instanceof Object && key === 'effects')
          return proxyOf(value, (_name, effect) => targeted(value, effect))
        return (
          (typeof key === 'string' && typeof value === 'function' && overrides(key, value as GsapFunction)) || value
        )
      },
    })

  const utils = (owner: object): object =>
    proxyOf(owner, (name, method) =>
      name === 'toArray'
        ? (value, scope, ...rest) =>
            scope ? method(value, first(scope), ...rest) : method(resolve(value), undefined, ...rest)
        : name === 'selector'
          ? (scope) => (scope ? method(first(scope)) : (selector: unknown) => find(String(selector)))
          : undefined,
    )

  return proxyOf(real, (name, method) => {
    if (TARGETED.includes(name)) return targeted(real, method)
    if (name === 'getProperty') return (target, ...rest) => method.call(real, first(target), ...rest)
    if (name === 'timeline') return (...args) => scopeTimeline(method.apply(real, args) as object)
    if (name === 'matchMedia') return (scope) => method.call(real, first(scope))
    if (name === 'context')
      return (call, scope) =>
        method.call(
          real,
          typeof call === 'function' ? limitedTo(first(scope), call as GsapFunction) : call,
          first(scope),
        )
    return undefined
  })
}

/** Keeps one scoped GSAP for each GSAP of the page. */
export const createGsapScope = (query: ScopedQuery) => {
  const scopedOf = new WeakMap<object, object>()
  const realOf = new WeakMap<object, object>()
  return {
    scoped(real: unknown): unknown {
      if (!(real instanceof Object)) return real
      const scoped = scopedOf.get(real) ?? createScopedGsap(real, query)
      scopedOf.set(real, scoped)
      realOf.set(scoped, real)
      return scoped
    },
    /** The page's own GSAP, for a script that assigns the scoped one back. */
    unscoped: (value: unknown): unknown => (value instanceof Object ? (realOf.get(value) ?? value) : value),
  }
}
