/** Creates what does works one after another, in the order in which they are given; a failure stops none after it. */
export const createSequence = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
