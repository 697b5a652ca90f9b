import type { ServerResponse } from 'node:http'

/** Counts requests until each is answered or its client has left. */
export interface Running {
  add(response: ServerResponse): void
  /** Resolves once nothing runs; false when time ran out before. */
  settled(timeoutMs: number): Promise<boolean>
}

/** Starts with nothing running. */
export const createRunning = (): Running => {
  const replies = new Set<ServerResponse>()
  const listeners = new Set<() => void>()
  return {
    add(response) {
      replies.add(response)
      response.once('close', () => {
        replies.delete(response)
        if (replies.size === 0) for (const resolve of listeners) resolve()
      })
    },
    settled(timeoutMs) {
      if (replies.size === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const settle = (isSettled: boolean) => {
          clearTimeout(timer)
          listeners.delete(onSettled)
          resolve(isSettled)
        }
        const onSettled = () => settle(true)
        const timer = setTimeout(settle, timeoutMs, false)
        listeners.add(onSettled)
      })
    },
  }
}
