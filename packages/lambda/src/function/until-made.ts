/** Makes a value once and gives it to everyone; where that failed, the next call tries again. */
export const untilMade = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = undefined
      throw thrown
    })
    return made
  }
}
