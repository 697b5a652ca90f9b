import type { ScopedQuery } from './scoped-query.ts'

/** Any function of GSAP. */
export type GsapFunction = (...args: unknown[]) => unknown

/** Plugins with settings that name elements, and those settings. */
const PLUGINS = ['motionPath', 'morphSVG']
const PLUGIN_TARGETS = ['path', 'align', 'shape']

/** Resolves selectors in GSAP calls within one instance. */
export const createGsapTargets = (query: ScopedQuery) => {
  /** The element that a running `gsap.context()` is limited to. */
  let limit: Element | undefined
  const find = (selector: string): Element[] => [...(limit ? limit.querySelectorAll(selector) : query.all(selector))]
  const findIfSelector = (value: unknown): unknown =>
    typeof value === 'string' && /^[#.]/.test(value) ? (find(value)[0] ?? value) : value
  const resolve = (targets: unknown): unknown =>
    typeof targets === 'string'
      ? find(targets)
      : Array.isArray(targets)
        ? targets.flatMap((target: unknown) => (typeof target === 'string' ? find(target) : [target]))
        : targets
  /** Resolves selectors that a plugin would look up itself, when its tween begins. */
  const resolveVars = (vars: unknown): unknown => {
    if (!(vars instanceof Object) || !PLUGINS.some((name) => name in vars)) return vars
    const values = PLUGINS.flatMap((name) => {
      const value: unknown = Reflect.get(vars, name)
      const inside = value instanceof Object && !Array.isArray(value) ? { ...value } : undefined
      for (const [key, item] of Object.entries(inside ?? {}))
        if (PLUGIN_TARGETS.includes(key)) Object.assign(inside ?? {}, { [key]: findIfSelector(item) })
      return value === undefined ? [] : [[name, inside ?? findIfSelector(value)] as const]
    })
    return { ...vars, ...Object.fromEntries(values) }
  }
  return {
    find,
    resolve,
    /** The first element of a selector; another value as it is. */
    first: (target: unknown): unknown => (typeof target === 'string' ? find(target)[0] : target),
    /** Makes a method resolve its targets, and those in its settings. */
    targeted:
      (owner: object, method: GsapFunction): GsapFunction =>
      (targets, ...rest) =>
        method.call(owner, resolve(targets), ...rest.map(resolveVars)),
    /** Makes the selectors of a call search only inside an element. */
    limitedTo: (scope: unknown, call: GsapFunction): GsapFunction =>
      function (this: unknown, ...args) {
        const before = limit
        limit = scope instanceof Element ? scope : before
        try {
          return call.apply(this, args)
        } finally {
          limit = before
        }
      },
  }
}
