/** Levels of objects and arrays that values may nest: recursion ends far beyond, at an unforeseen place. */
export const MAX_NESTING = 500

/** Whether data nests deeper than allowed, found without recursion. */
export const isTooDeep = (value: unknown): boolean => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NESTING) return true
    const inner = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    // What is reachable in several ways is followed once.
    level = [...new Set(inner)]
  }
  return false
}
