/** Calls `onCall` before page code calls any of an object's methods; the returned function ends that. */
export const watchMethods = (object: object, names: readonly string[], onCall: () => void): (() => void) => {
  const methods = names.filter((name) => Object.hasOwn(object, name))
  const added: string[] = []
  for (const name of names) {
    const native: unknown = Reflect.get(object, name)
    if (typeof native !== 'function' || methods.includes(name)) continue
    added.push(name)
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        onCall()
        return Reflect.apply(native, this, args)
      },
    })
  }
  return () => {
    for (const name of added) Reflect.deleteProperty(object, name)
  }
}
