import { signal } from '@preact/signals'
import { failureOf } from './server.ts'

/** One sentence about what was just done, or why it was not. */
export interface Notice {
  readonly text: string
  readonly isError: boolean
  /** The version of what is staged after what was done; undefined where there is nothing to take back. */
  readonly version?: number
}

/** The last notice, which assistive technology reads out too. */
export const notice = signal<Notice | null>(null)

/** Milliseconds that a notice stays. */
const SHOWN_MS = 6000

let timer = 0

const show = (next: Notice): void => {
  notice.value = next
  clearTimeout(timer)
  timer = setTimeout(() => {
    notice.value = null
  }, SHOWN_MS)
}

/** Shows a notice for a while. */
export const tell = (text: string, isError = false): void => show({ text, isError })

/** Shows for a while what was done to the source, to be taken back while it is the last change. */
export const tellDone = (text: string, version: number): void => show({ text, isError: false, version })

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
