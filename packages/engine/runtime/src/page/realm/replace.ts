/** Replaces a method so that it keeps its name, number of parameters, enumerability and place. */
export const replaceMethod = <T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): void => {
  const old = Object.getOwnPropertyDescriptor(owner, key)
  Object.defineProperty(value as object, 'name', { value: key, configurable: true })
  if (typeof old?.value === 'function')
    Object.defineProperty(value as object, 'length', { value: old.value.length, configurable: true })
  Object.defineProperty(owner, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: old?.enumerable ?? true,
  })
}

/** Replaces the getter, the setter or both of a property. */
export const replaceAccessor = <T extends object>(
  owner: T,
  key: keyof T,
  accessor: { get?: (this: never) => unknown; set?: (this: never, value: never) => void },
): void => {
  const old = Object.getOwnPropertyDescriptor(owner, key)
  if (old) Object.defineProperty(owner, key, { ...old, ...accessor } as PropertyDescriptor)
}
