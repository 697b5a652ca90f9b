import type { ServerResponse } from 'node:http'

/** Counts requests until each is answered or its client has disconnected. */
export interface Running {
  add(response: ServerResponse): void
  /** Resolves once no requests run; false if the time ran out before. */
  settled(timeoutMs: number): Promise<boolean>
}

/** Creates a counter of running requests. */
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
