/** A call of plugin code that has not settled. */
export interface PendingCall {
  readonly plugin: string
  readonly hook: string
  /** Signal of its render. */
  readonly signal: AbortSignal
  /** Rejects the call for its caller, since it will never settle. */
  stall(): void
}

/**
 * Calls of all renders, in order of start: nothing inside the last one can still settle it. The process owns them,
 * since only the process knows that nothing is left to run; each is removed when it settles or stalls.
 */
const pending = new Set<PendingCall>()

/** The call that started last, of all renders or of the one with that signal. */
export const innermostCall = (signal?: AbortSignal): PendingCall | undefined =>
  [...pending].findLast((call) => !signal || call.signal === signal)

// Nothing is left that could settle the calls: without this, the process would end with 0.
const onEmptyLoop = () => {
  innermostCall()?.stall()
  setImmediate(() => {})
}

/** Watches a call until the function that this returns is called. */
export const trackCall = (call: PendingCall): (() => void) => {
  if (pending.size === 0) process.on('beforeExit', onEmptyLoop)
  pending.add(call)
  return () => {
    pending.delete(call)
    if (pending.size === 0) process.off('beforeExit', onEmptyLoop)
  }
}
