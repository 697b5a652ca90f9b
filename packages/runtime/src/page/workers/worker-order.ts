/** The key of messages between the runtime of a page and that of a worker; page code never sees them. */
export const ORDER = 'vid.clock'

/** What a page sends to a worker: the time, and whether a new frame is shown. */
export interface WorkerOrder {
  readonly timeMs: number
  readonly isFrame: boolean
}

/** What a worker answers when it has run all that is due, or when it closes itself. */
export type WorkerAnswer = 'done' | 'closed'
