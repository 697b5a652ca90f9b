const bare = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '')

/** Whether one character was left out, added, replaced, or swapped with its neighbour. */
const isOneSlip = (a: string, b: string): boolean => {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}

/** The known name that a mistyped one means: it differs by one slip, or by its hyphens; undefined for none. */
export const nearName = (name: string, names: Iterable<string>): string | undefined =>
  [...names].find((other) => bare(other) === bare(name)) ?? [...names].find((other) => isOneSlip(name, other))
