/** Calls that wait until something has changed, and look again then. */
export interface Change {
  wait(): Promise<void>
  /** Has all who wait go on. */
  note(): void
}

/** Creates a change that nobody waits for yet. */
export const createChange = (): Change => {
  let resolve = () => {}
  let changed: Promise<void> | undefined
  return {
    wait: () =>
      (changed ??= new Promise((settle) => {
        resolve = settle
      })),
    note() {
      changed = undefined
      resolve()
    },
  }
}
