import { isVidError, type RenderPlan } from '@vid/protocol'
import type { CaptureSession, PluginWarning } from '../../contracts/roles.ts'
import type { PageLease } from '../../frames/capture-frames.ts'
import { pageKey } from '../../plan/plan-identity.ts'
import { checkAnswer } from '../../supervision/answers.ts'
import { warningOf } from '../../supervision/blame.ts'
import { ask } from '../../supervision/supervise-hooks.ts'
import type { Scope } from '../scope.ts'

/** The pages that the capture plugin has opened and not closed yet; `isForPictures` tells plans of pictures alone. */
const createSessions = (scope: Scope, isForPictures: (plan: RenderPlan) => boolean) => {
  const { hooks, watch, as, context, signal, stop } = scope
  const { capture } = scope.setup
  const open = new Set<CaptureSession>()
  const warnings = new WeakMap<CaptureSession, readonly PluginWarning[]>()
  const close = async (session: CaptureSession) => {
    if (!open.delete(session)) return
    await watch
      .close(capture.name, 'capture', () => session.close())
      .catch((thrown: unknown) => {
        // Its frames are complete; a killed page cannot be closed, which is no new error.
        if (isVidError(thrown) && thrown.code === 'VID_PLUGIN_STALLED') scope.warn(warningOf(thrown))
      })
  }
  const openSession = async (plan: RenderPlan): Promise<CaptureSession> => {
    const facts = context(capture, signal, plan.capture.options)
    const reported: PluginWarning[] = []
    const warn = (warning: PluginWarning) => {
      reported.push({ plugin: capture.name, ...warning })
      facts.warn(warning)
    }
    const opened = await capture.open(plan, { ...facts, warn, ...(isForPictures(plan) && { picturesOnly: true }) })
    const session = checkAnswer(capture.name, 'capture', opened)
    open.add(session)
    warnings.set(session, reported)
    // Opened after the render was closed: no segment waits for it.
    if (stop.signal.aborted) await close(session)
    stop.signal.throwIfAborted()
    return session
  }
  as(capture.name, () =>
    hooks.capture.tapPromise(capture.name, async (plan) =>
      plan.capture.name === capture.name ? openSession(plan) : undefined,
    ),
  )
  return {
    open: (plan: RenderPlan) => ask('capture', plan.capture.name, hooks.capture.promise(plan)),
    add: (session: CaptureSession) => void open.add(session),
    isOpen: (session: CaptureSession): boolean => open.has(session),
    /** What a page has warned of since it was opened. */
    warningsOf: (session: CaptureSession): readonly PluginWarning[] => warnings.get(session) ?? [],
    close,
    closeAll: () => Promise.allSettled([...open].map(close)),
  }
}

/** The pages of a render that are open, and those of them that wait to be used again. */
export const createPageLeases = (scope: Scope) => {
  const { signal } = scope
  const idle: { key: string; session: CaptureSession; next: number }[] = []
  /** Plans of pages of which only pictures are taken. */
  const forPictures = new WeakSet<RenderPlan>()
  const { open, add, close, closeAll, ...sessions } = createSessions(scope, (plan) => forPictures.has(plan))
  const leaseOf = (session: CaptureSession, plan: RenderPlan): PageLease => {
    add(session)
    return {
      session,
      release: (next: number, captured = plan) => void idle.push({ key: pageKey(captured), session, next }),
      // The first failure is the one to report.
      discard: () => close(session),
    }
  }
  return {
    /** Leases an idle page that has not passed `start` yet, the nearest one, else a new page. */
    async take(plan: RenderPlan, start: number): Promise<PageLease> {
      signal.throwIfAborted()
      const key = pageKey(plan)
      const fits = idle.filter((page) => page.key === key && page.next <= start)
      const [fit] = fits.sort((a, b) => b.next - a.next)
      if (fit) idle.splice(idle.indexOf(fit), 1)
      return leaseOf(fit?.session ?? (await open(plan)), plan)
    },
    /** Opens a page of which only pictures are taken; the idle ones stay for those that draw frames. */
    async takeForPictures(plan: RenderPlan): Promise<PageLease> {
      signal.throwIfAborted()
      const copy = { ...plan }
      forPictures.add(copy)
      return leaseOf(await open(copy), copy)
    },
    ...sessions,
    /** Closes the idle pages. */
    release: () => Promise.allSettled(idle.splice(0).map(({ session }) => close(session))),
    close: closeAll,
  }
}

/** The leases of a render's pages. */
export type PageLeases = ReturnType<typeof createPageLeases>
