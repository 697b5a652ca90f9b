import { setTimeout as wait } from 'node:timers/promises'
import { isAway } from './database.ts'

const FIRST_MS = 100
const MAX_MS = 2000

/**
 * Repeats work until the database can be reached. A statement whose connection ended may have been carried out: the work
 * must do no harm when it is done twice.
 */
export const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let delayMs = FIRST_MS; ; delayMs = Math.min(MAX_MS, delayMs * 2)) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown
      // Not all processes at the same moment.
      await wait(delayMs * (0.5 + Math.random() / 2), undefined, { signal })
    }
  }
}
