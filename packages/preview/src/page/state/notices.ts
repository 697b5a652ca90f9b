import { signal } from '@preact/signals'
import { failureOf } from './server.ts'

/** One sentence about what was just done, or why it was not. */
export interface Notice {
  readonly text: string
  readonly isError: boolean
}

/** The last notice, which assistive technology reads out too. */
export const notice = signal<Notice | null>(null)

/** Milliseconds that a notice stays. */
const SHOWN_MS = 6000

let timer = 0

/** Shows a notice for a while. */
export const tell = (text: string, isError = false): void => {
  notice.value = { text, isError }
  clearTimeout(timer)
  timer = setTimeout(() => {
    notice.value = null
  }, SHOWN_MS)
}

/** Runs an action, and shows the reason when it fails. */
export const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return
    const { message, hint } = failureOf(thrown)
    tell(hint ? `${message} ${hint}` : message, true)
  }
}
