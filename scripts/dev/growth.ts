const LARGEST = 2 ** 22
const MEASURABLE_MS = 10

const processorMs = (work: () => void): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The least of several, since other work of the process only adds to one. */
const leastMs = (work: () => void): number => Math.min(...Array.from({ length: 3 }, () => processorMs(work)))

/**
 * How many times the processor time grows when a text becomes four times as long: about 4 for a reader that reads each
 * character once, about 16 for one whose time is the square. 1 for one that is too fast to be measured on any text.
 */
export const growthOf = (textOf: (length: number) => string, read: (text: string) => void): number => {
  for (let length = 2 ** 12; length <= LARGEST; length *= 2) {
    const text = textOf(length)
    if (processorMs(() => read(text)) < MEASURABLE_MS) continue
    const long = textOf(length * 4)
    return leastMs(() => read(long)) / leastMs(() => read(text))
  }
  return 1
}
