/** A signal that aborts `ms` after another one; call `end` to release it. */
export const lateSignal = (signal: AbortSignal, ms: number): { readonly signal: AbortSignal; end(): void } => {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), ms)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    signal: late.signal,
    end() {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    },
  }
}
