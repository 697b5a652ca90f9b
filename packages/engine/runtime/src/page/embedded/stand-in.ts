/** A property of a stand-in that differs from the real object. */
export interface Override {
  readonly get: () => unknown
  /** Without it, assignments are ignored. */
  readonly set?: (value: unknown) => void
}

/** The names of an object's platform functions, which must be called on the object itself. */
export const platformFunctions = (real: object): ReadonlySet<PropertyKey> => {
  const names = new Set<PropertyKey>()
  for (let owner: object | null = real; owner && owner !== Object.prototype; owner = Reflect.getPrototypeOf(owner))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && /^[a-z]/.test(name) && name !== 'constructor') names.add(name)
  return names
}

/** Handlers such as `onload`: each stand-in has its own, so that none replaces another's. */
const handlerSlots = (real: EventTarget) => {
  const slots = new Map<string, EventListener>()
  return {
    isHandler: (key: PropertyKey): key is string => typeof key === 'string' && key.startsWith('on') && key in real,
    get: (key: string) => slots.get(key) ?? null,
    set(key: string, value: unknown) {
      const type = key.slice(2)
      const old = slots.get(key)
      if (old) real.removeEventListener(type, old)
      slots.delete(key)
      if (typeof value !== 'function') return
      slots.set(key, value as EventListener)
      real.addEventListener(type, value as EventListener)
    },
  }
}

/** Creates an object that passes everything but its overrides on to a window or a document. */
export const standIn = <T extends EventTarget>(
  real: T,
  functions: ReadonlySet<PropertyKey>,
  overrides: Readonly<Record<string, Override>>,
): T => {
  const bound = new Map<PropertyKey, { value: unknown; call: unknown }>()
  const handlers = handlerSlots(real)
  const overrideOf = (key: PropertyKey) =>
    typeof key === 'string' && Object.hasOwn(overrides, key) ? overrides[key] : undefined
  // The target is empty: the stand-in can override what is not configurable on the real object.
  return new Proxy({} as T, {
    get(_target, key) {
      const override = overrideOf(key)
      if (override) return override.get()
      if (handlers.isHandler(key)) return handlers.get(key)
      const value: unknown = Reflect.get(real, key)
      if (typeof value !== 'function' || !functions.has(key)) return value
      const existing = bound.get(key)
      if (existing?.value === value) return existing.call
      const call: unknown = value.bind(real)
      bound.set(key, { value, call })
      return call
    },
    set(_target, key, value) {
      const override = overrideOf(key)
      if (override) override.set?.(value)
      else if (handlers.isHandler(key)) handlers.set(key, value)
      else return Reflect.set(real, key, value)
      return true
    },
    has: (_target, key) => overrideOf(key) !== undefined || Reflect.has(real, key),
    deleteProperty: (_target, key) => Reflect.deleteProperty(real, key),
    defineProperty: (_target, key, descriptor) => Reflect.defineProperty(real, key, descriptor),
    ownKeys: () => Reflect.ownKeys(real),
    getOwnPropertyDescriptor(_target, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(real, key)
      return descriptor && { ...descriptor, configurable: true }
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(real),
  })
}
