import { signal } from '@preact/signals'

/** Whether the composition owes an answer for so long that one of its scripts may never return. */
export const isSilent = signal(false)

/** Milliseconds; the pages of a render are given up after 30 seconds. */
const SILENT_MS = 10_000

/** Watches how long a composition takes to answer; ends with the signal. */
export const watchSilence = (endSignal: AbortSignal) => {
  let timer = 0
  const end = () => {
    clearTimeout(timer)
    isSilent.value = false
  }
  endSignal.addEventListener('abort', end)
  return {
    /** It has received a request, or has shown that it goes on. */
    begin() {
      end()
      timer = setTimeout(() => {
        isSilent.value = true
      }, SILENT_MS)
    },
    /** It has answered. */
    end,
  }
}
