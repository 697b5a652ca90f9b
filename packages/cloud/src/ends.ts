/** Work to undo, the latest first. */
export const createEnds = () => {
  const ends: (() => Promise<unknown> | unknown)[] = []
  return {
    add: (end: () => Promise<unknown> | unknown) => void ends.push(end),
    async run(): Promise<void> {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}

/** Work to undo, the latest first. */
export type Ends = ReturnType<typeof createEnds>
