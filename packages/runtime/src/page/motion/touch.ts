/** Calls `touched` before any of the methods that page code calls on one object; the answer ends that. */
export const watchMethods = (object: object, names: readonly string[], touched: () => void): (() => void) => {
  const own = names.filter((name) => Object.hasOwn(object, name))
  const added: string[] = []
  for (const name of names) {
    const native: unknown = Reflect.get(object, name)
    if (typeof native !== 'function' || own.includes(name)) continue
    added.push(name)
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        touched()
        return Reflect.apply(native, this, args)
      },
    })
  }
  return () => {
    for (const name of added) Reflect.deleteProperty(object, name)
  }
}
