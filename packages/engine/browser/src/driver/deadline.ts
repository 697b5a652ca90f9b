import { afterServed } from '@vid/system'

/** Time to wait for a process's exit after its connection broke, in milliseconds. */
export const EXIT_MS = 1_000

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/** Settles as `work` does, or rejects with the result of `late` when that takes longer than `ms` of served time. */
export const withDeadline = async <T>(work: Promise<T>, ms: number, late: () => Promise<unknown>): Promise<T> => {
  let cancel = () => {}
  const expired = new Promise<never>((_resolve, reject) => {
    cancel = afterServed(ms, () => void late().then(reject, reject))
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    cancel()
  }
}
