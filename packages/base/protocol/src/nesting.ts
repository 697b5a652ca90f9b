/** Levels of objects and arrays that values may nest: recursion ends far beyond, at an unforeseen place. */
export const MAX_NESTING = 500

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether data nests deeper than allowed, found without recursion. */
export const isTooDeep = (value: unknown): boolean => {
  let level = new Set(isObject(value) ? [value] : [])
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > MAX_NESTING) return true
    // What is reachable in several ways is followed once.
    const inner = new Set<object>()
    for (const outer of level) for (const each of Object.values(outer)) if (isObject(each)) inner.add(each)
    level = inner
  }
  return false
}
