import type { Renderer } from '@vid/render'

/** Calls after which a renderer is closed all the same: what each leaves behind in a browser has an end. */
const MAX_CALLS = 40

/** A renderer that stays from one call to the next with its browsers: starting one takes longer than a few frames. */
export interface KeptRenderer {
  /** Runs the work of a call, which gets the renderer when it first asks for it. After a failure none is kept. */
  use<T>(work: (open: () => Promise<Renderer>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Keeps what `create` makes, for as long as `mayStay` says so after a call. */
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
        // What cannot be measured does not stay.
        const stays = isDone && calls < MAX_CALLS && (await mayStay().catch(() => false))
        if (opening && !stays) await close()
      }
    },
    close,
  }
}
