/** Memoizes an asynchronous function; a failure is not cached. */
export const memoizeAsync = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= make().catch((thrown: unknown) => {
      promise = undefined
      throw thrown
    })
    return promise
  }
}
