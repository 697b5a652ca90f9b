/** Creates a stack of cleanup functions, which run in reverse order. */
export const createEnds = () => {
  const ends: (() => Promise<unknown> | unknown)[] = []
  return {
    add: (end: () => Promise<unknown> | unknown) => void ends.push(end),
    async run(): Promise<void> {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}

/** A stack of cleanup functions, which run in reverse order. */
export type Ends = ReturnType<typeof createEnds>
