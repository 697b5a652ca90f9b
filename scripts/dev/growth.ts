/** Sixteen times this fits the stack on which patterns go back. */
const LARGEST = 2 ** 16
const MEASURABLE_MS = 4
const TIMES_LONGER = 16
const ATTEMPTS = 4

/** Between the growth of a reader that reads each character once (16), and that of one whose time is the square (256). */
export const MOST_GROWTH = 64

const processorMs = (work: () => void): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The least of several, since other work of the process only adds to one. */
const leastMs = (work: () => void): number => Math.min(...Array.from({ length: 3 }, () => processorMs(work)))

/** The length of a text that takes a time that can be measured; undefined if the longest takes none. */
const measurableLength = (textOf: (length: number) => string, read: (text: string) => void): number | undefined => {
  for (let length = 2 ** 10; length <= LARGEST; length *= 2) {
    const text = textOf(length)
    if (leastMs(() => read(text)) >= MEASURABLE_MS) return length
  }
  return undefined
}

/**
 * How many times the processor time grows when a text becomes 16 times as long; 1 for a reader that is too fast to be measured
 * on any text. What else the process does (compiling, collecting garbage, its other threads) can make a growth too large, so a
 * growth above `MOST_GROWTH` is measured again, and the least of four counts: a reader whose time is the square never has less.
 */
export const growthOf = (textOf: (length: number) => string, read: (text: string) => void): number => {
  const length = measurableLength(textOf, read)
  if (length === undefined) return 1
  const text = textOf(length)
  const long = textOf(length * TIMES_LONGER)
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_GROWTH; attempt += 1)
    least = Math.min(least, processorMs(() => read(long)) / leastMs(() => read(text)))
  return least
}
