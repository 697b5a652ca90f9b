/** Lines of one text that stand in place of lines of another; both ranges without their ends. */
export interface LineChange {
  readonly before: number
  readonly beforeEnd: number
  readonly after: number
  readonly afterEnd: number
}

/** The lines of a text, each with its line end. */
export const linesWithEnds = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Steps after which two parts are taken for entirely different: finding the fewest changes takes the square of them. */
const MAX_STEPS = 2000

/** Pairs of equal lines in order, by the shortest edit script (Myers, 1986). */
const equalLines = (a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] => {
  const size = a.length + b.length
  const furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let steps = 0; steps <= Math.min(size, MAX_STEPS); steps += 1) {
    trace.push(new Map(furthest))
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0))
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return backtrack(trace, a.length, b.length)
    }
  }
  return []
}

const backtrack = (
  trace: readonly ReadonlyMap<number, number>[],
  endX: number,
  endY: number,
): (readonly [number, number])[] => {
  const pairs: [number, number][] = []
  let [x, y] = [endX, endY]
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const furthest = trace[steps] as ReadonlyMap<number, number>
    const k = x - y
    const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0))
    const fromK = down ? k + 1 : k - 1
    const fromX = furthest.get(fromK) ?? 0
    const fromY = fromX - fromK
    while (x > fromX && y > fromY) {
      x -= 1
      y -= 1
      pairs.push([x, y])
    }
    x = fromX
    y = fromY
  }
  return pairs.reverse()
}

/** The changes from one list of lines to another, in order. */
export const diffLines = (before: readonly string[], after: readonly string[]): readonly LineChange[] => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let tail = 0
  const most = Math.min(before.length, after.length) - start
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const pairs = equalLines(before.slice(start, before.length - tail), after.slice(start, after.length - tail))
  const changes: LineChange[] = []
  let [x, y] = [start, start]
  const ends: (readonly [number, number])[] = [
    ...pairs.map(([a, b]) => [a + start, b + start] as const),
    [before.length - tail, after.length - tail],
  ]
  for (const [a, b] of ends) {
    if (a > x || b > y) changes.push({ before: x, beforeEnd: a, after: y, afterEnd: b })
    x = a + 1
    y = b + 1
  }
  return changes
}
