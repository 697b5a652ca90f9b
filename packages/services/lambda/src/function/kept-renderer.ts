import type { Renderer } from '@vid/render'

/** Calls after which a renderer is closed, to limit what each call leaves behind in a browser. */
const MAX_CALLS = 40

/** A renderer that stays open between calls, with its browsers: starting one takes longer than a few frames. */
export interface KeptRenderer {
  /** Runs the work of a call; opens the renderer on first use, and closes it after a failure. */
  use<T>(work: (open: () => Promise<Renderer>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Keeps the renderer of `create` open as long as `mayStay` allows after each call. */
export const keepRenderer = (create: () => Promise<Renderer>, mayStay: () => Promise<boolean>): KeptRenderer => {
  let opening: Promise<Renderer> | undefined
  let calls = 0
  const open = () => {
    opening ??= create()
    return opening
  }
  const close = async () => {
    const closing = opening
    opening = undefined
    calls = 0
    const renderer = await closing?.catch(() => undefined)
    await renderer?.close()
  }
  return {
    async use(work) {
      let isDone = false
      try {
        const result = await work(open)
        isDone = true
        return result
      } finally {
        if (opening) calls += 1
        // Closed if its state cannot be measured.
        const stays = isDone && calls < MAX_CALLS && (await mayStay().catch(() => false))
        if (opening && !stays) await close()
      }
    },
    close,
  }
}
