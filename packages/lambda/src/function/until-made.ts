/** Makes a value once and gives it to everyone; where that failed, the next call tries again. */
export const untilMade = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= make().catch((thrown: unknown) => {
      promise = undefined
      throw thrown
    })
    return promise
  }
}
