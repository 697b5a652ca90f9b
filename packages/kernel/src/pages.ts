import { type CaptureSession, pageKey, type RenderPlan } from '@vid/protocol'
import { ask } from './hooks.ts'
import type { Scope } from './kernel.ts'

/** The pages of a render: opened by the capture plugin, used one after another, closed at the end. */
export const createPages = ({ setup: { capture }, hooks, watch, as, context, signal, stop }: Scope) => {
  const open = new Set<CaptureSession>()
  const idle: { key: string; session: CaptureSession; next: number }[] = []
  const close = async (session: CaptureSession) => {
    if (open.delete(session)) await watch.run(capture.name, 'capture', () => session.close())
  }
  as(capture.name, () =>
    hooks.capture.tapPromise(capture.name, async (plan) => {
      if (plan.capture.name !== capture.name) return undefined
      const session = await capture.open(plan, context(capture, signal, plan.capture.options))
      open.add(session)
      // Too late: nobody waits for it any more.
      if (stop.signal.aborted) await close(session)
      stop.signal.throwIfAborted()
      return session
    }),
  )
  return {
    /** Lends a page that has not passed `start` yet, the nearest first, else a new one; a failure closes it. */
    async use<T>(plan: RenderPlan, start: number, next: number, work: (page: CaptureSession) => Promise<T>) {
      signal.throwIfAborted()
      const key = pageKey(plan)
      const fits = idle.filter((page) => page.key === key && page.next <= start)
      const [fit] = fits.sort((a, b) => b.next - a.next)
      if (fit) idle.splice(idle.indexOf(fit), 1)
      const session = fit?.session ?? (await ask('capture', plan.capture.name, hooks.capture.promise(plan)))
      open.add(session)
      try {
        const result = await work(session)
        idle.push({ key, session, next })
        return result
      } catch (thrown) {
        // The first failure is the one to tell.
        await close(session).catch(() => {})
        throw thrown
      }
    },
    close: () => Promise.allSettled([...open].map(close)),
  }
}
export type Pages = ReturnType<typeof createPages>
