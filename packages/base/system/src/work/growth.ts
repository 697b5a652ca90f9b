import { createChange } from '@vid/protocol'

/** Work whose results others wait for while it grows. */
export interface Growth {
  /** Has all that wait look again. */
  grow(): void
  /** Follows the work to its end: after it nothing is waited for, and its failure is that of all that wait. */
  endWith(work: Promise<unknown>): void
  /** Resolves when something is reached, or the work has ended; rejects when it has failed. */
  until(isReached: () => boolean): Promise<void>
}

/** Creates the growth of one work. */
export const createGrowth = (): Growth => {
  const change = createChange()
  let ending: { readonly failure?: unknown } | undefined
  const end = (outcome: { readonly failure?: unknown }) => {
    ending = outcome
    change.note()
  }
  return {
    grow: change.note,
    endWith(work) {
      work.then(
        () => end({}),
        (failure: unknown) => end({ failure }),
      )
    },
    async until(isReached) {
      while (!ending && !isReached()) await change.wait()
      if (ending && 'failure' in ending) throw ending.failure
    },
  }
}
