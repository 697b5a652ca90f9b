import type { ScopedQuery } from './scoped-query.ts'

type Call = (...args: unknown[]) => unknown

const TARGETED = [
  'to',
  'from',
  'fromTo',
  'set',
  'killTweensOf',
  'getTweensOf',
  'isTweening',
  'quickTo',
  'quickSetter',
]
const ON_TIMELINE = [...TARGETED, 'staggerTo', 'staggerFrom', 'staggerFromTo']

/** Plugins whose settings name elements, and the settings that do. */
const PLUGINS = ['motionPath', 'morphSVG']
const PLUGIN_TARGETS = ['path', 'align', 'shape']

/** A GSAP whose string targets are found in one instance; everything else is the page's own. */
export const createScopedGsap = (real: object, query: ScopedQuery): object => {
  /** The element that a `gsap.context()` under way is limited to. */
  let narrowed: Element | undefined
  const find = (selector: string): Element[] => [
    ...(narrowed ? narrowed.querySelectorAll(selector) : query.all(selector)),
  ]
  const resolve = (targets: unknown): unknown =>
    typeof targets === 'string'
      ? find(targets)
      : Array.isArray(targets)
        ? targets.flatMap((each: unknown) => (typeof each === 'string' ? find(each) : [each]))
        : targets
  const first = (target: unknown): unknown => (typeof target === 'string' ? find(target)[0] : target)
  /** What a plugin would look up by itself, and only when its tween begins. */
  const resolveVars = (vars: unknown): unknown => {
    if (!(vars instanceof Object) || !PLUGINS.some((name) => name in vars)) return vars
    const found = PLUGINS.flatMap((name) => {
      const value: unknown = Reflect.get(vars, name)
      const inside = value instanceof Object && !Array.isArray(value) ? { ...value } : undefined
      for (const [key, each] of Object.entries(inside ?? {}))
        if (PLUGIN_TARGETS.includes(key)) Object.assign(inside ?? {}, { [key]: lookUp(each) })
      return value === undefined ? [] : [[name, inside ?? lookUp(value)] as const]
    })
    return { ...vars, ...Object.fromEntries(found) }
  }
  const lookUp = (value: unknown): unknown =>
    typeof value === 'string' && /^[#.]/.test(value) ? (find(value)[0] ?? value) : value

  const targeted =
    (owner: object, method: Call): Call =>
    (targets, ...rest) =>
      method.call(owner, resolve(targets), ...rest.map(resolveVars))

  const scopeTimeline = (timeline: object): object => {
    for (const name of ON_TIMELINE) {
      const method: unknown = Reflect.get(timeline, name)
      if (typeof method === 'function')
        Object.defineProperty(timeline, name, {
          value: targeted(timeline, method as Call),
          configurable: true,
          writable: true,
        })
    }
    return timeline
  }

  const within = (scope: unknown, call: Call): Call =>
    function (this: unknown, ...args) {
      const before = narrowed
      narrowed = scope instanceof Element ? scope : before
      try {
        return call.apply(this, args)
      } finally {
        narrowed = before
      }
    }

  const proxyOf = (owner: object, overrides: (name: string, method: Call) => Call | undefined): object =>
    new Proxy(owner, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (value instanceof Object && key === 'utils') return utils(value)
        if (value instanceof Object && key === 'effects')
          return proxyOf(value, (_name, effect) => targeted(value, effect))
        return (
          (typeof key === 'string' && typeof value === 'function' && overrides(key, value as Call)) || value
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

  const gsap = proxyOf(real, (name, method) => {
    if (TARGETED.includes(name)) return targeted(real, method)
    if (name === 'getProperty') return (target, ...rest) => method.call(real, first(target), ...rest)
    if (name === 'timeline') return (...args) => scopeTimeline(method.apply(real, args) as object)
    if (name === 'matchMedia') return (scope) => method.call(real, first(scope))
    if (name === 'context')
      return (call, scope) =>
        method.call(
          real,
          typeof call === 'function' ? within(first(scope), call as Call) : call,
          first(scope),
        )
    return undefined
  })
  return gsap
}

/** Keeps one scoped GSAP for each one that the page has. */
export const createGsapScope = (query: ScopedQuery) => {
  const known = new WeakMap<object, object>()
  const made = new WeakMap<object, object>()
  return {
    scoped(real: unknown): unknown {
      if (!(real instanceof Object)) return real
      const scoped = known.get(real) ?? createScopedGsap(real, query)
      known.set(real, scoped)
      made.set(scoped, real)
      return scoped
    },
    /** The page's own, where a script writes back what it was given. */
    unscoped: (value: unknown): unknown => (value instanceof Object ? (made.get(value) ?? value) : value),
  }
}
