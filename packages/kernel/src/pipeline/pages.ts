import { failRender, isVidError, kernelWarning, type RenderPlan, type Segment } from '@vid/protocol'
import type { ExaminedPage, ExamineOptions } from '../contracts/kernel-types.ts'
import type { CaptureSession, Frame, InputFile, PluginWarning } from '../contracts/roles.ts'
import { captureFrames, type FramesOptions, type PageLease } from '../frames/capture-frames.ts'
import { checkFrames } from '../frames/check-frames.ts'
import { capturePlan } from '../plan/picture-scale.ts'
import { canonicalJson, pageKey } from '../plan/plan-identity.ts'
import { probedPlan } from '../plan/probed-plan.ts'
import { checkAnswer } from '../supervision/answers.ts'
import { warningOf } from '../supervision/blame.ts'
import { retryMachineFaults } from '../supervision/machine-retry.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import type { Scope } from './scope.ts'

/** The pages of a render: opened by the capture plugin, used one after another, closed at the end. */
export const createPages = (scope: Scope) => {
  const { hooks, watch, as, context, signal, stop } = scope
  const { capture } = scope.setup
  const open = new Set<CaptureSession>()
  const warnings = new WeakMap<CaptureSession, readonly PluginWarning[]>()
  const idle: { key: string; session: CaptureSession; next: number }[] = []
  /** Plans of pages of which only pictures are taken. */
  const forPictures = new WeakSet<RenderPlan>()
  const close = async (session: CaptureSession) => {
    if (!open.delete(session)) return
    await watch
      .close(capture.name, 'capture', () => session.close())
      .catch((thrown: unknown) => {
        // Its frames are complete; a killed page cannot be closed, which is no new error.
        if (isVidError(thrown) && thrown.code === 'VID_PLUGIN_STALLED') scope.warn(warningOf(thrown))
      })
  }
  as(capture.name, () =>
    hooks.capture.tapPromise(capture.name, async (plan) => {
      if (plan.capture.name !== capture.name) return undefined
      const facts = context(capture, signal, plan.capture.options)
      const reported: PluginWarning[] = []
      const warn = (warning: PluginWarning) => {
        reported.push({ plugin: capture.name, ...warning })
        facts.warn(warning)
      }
      const opened = await capture.open(plan, { ...facts, warn, ...(forPictures.has(plan) && { picturesOnly: true }) })
      const session = checkAnswer(capture.name, 'capture', opened)
      open.add(session)
      warnings.set(session, reported)
      // Opened after the render was closed: no segment waits for it.
      if (stop.signal.aborted) await close(session)
      stop.signal.throwIfAborted()
      return session
    }),
  )
  const openPage = (plan: RenderPlan) => ask('capture', plan.capture.name, hooks.capture.promise(plan))
  const leaseOf = (session: CaptureSession, plan: RenderPlan): PageLease => {
    open.add(session)
    return {
      session,
      release: (next: number, captured = plan) => void idle.push({ key: pageKey(captured), session, next }),
      // The first failure is the one to report.
      discard: () => close(session),
    }
  }
  /** Leases an idle page that has not passed `start` yet, the nearest one, else a new page. */
  const take = async (plan: RenderPlan, start: number) => {
    signal.throwIfAborted()
    const key = pageKey(plan)
    const fits = idle.filter((page) => page.key === key && page.next <= start)
    const [fit] = fits.sort((a, b) => b.next - a.next)
    if (fit) idle.splice(idle.indexOf(fit), 1)
    return leaseOf(fit?.session ?? (await openPage(plan)), plan)
  }
  /** Opens a page of which only pictures are taken; the idle ones stay for those that draw frames. */
  const takeForPictures = async (plan: RenderPlan) => {
    signal.throwIfAborted()
    const copy = { ...plan }
    forPictures.add(copy)
    return leaseOf(await openPage(copy), copy)
  }
  const probeOnce = async (draft: RenderPlan) => {
    const page = await take(draft, 0)
    try {
      const { name } = draft.capture
      const answer = await watch.run(name, 'capture', () => page.session.probe())
      const probe = checkAnswer(name, 'probe', answer, 'capture')
      page.release(0, probedPlan(draft, probe))
      return probe
    } catch (thrown) {
      await page.discard()
      throw thrown
    }
  }
  return {
    /**
     * Runs the page of a draft, again when its browser or the page is killed; a page that was only probed has not been
     * seeked, so any segment may use it later.
     */
    probe: (draft: RenderPlan) =>
      retryMachineFaults(() => probeOnce(draft), {
        signal,
        onRetry: (reason) =>
          scope.warn({ plugin: draft.capture.name, ...kernelWarning('VID_PAGE_RETRIED', { reason }) }),
      }),
    /**
     * Checked frames of pages, the first of which is leased when the first frame is read. They are counted from the first
     * of the plan, which may be any of the composition.
     */
    async *frames(
      output: RenderPlan,
      { index, start, frames }: Segment,
      options: FramesOptions,
    ): AsyncGenerator<Frame> {
      const plugin = output.capture.name
      const skipped = output.range?.start ?? 0
      const range = { index, start: start + skipped, frames }
      const captured = captureFrames({ take, watch }, output, range, options)
      for await (const frame of checkFrames(captured, { ...output, ...range, accepts: options.accepts, plugin })) {
        options.signal.throwIfAborted()
        yield skipped === 0 ? frame : { ...frame, index: frame.index - skipped }
      }
    },
    /** A page of a plan that shows single frames; it is opened with the first, and used for nothing else later. */
    examine(output: RenderPlan, { picturesOnly = false }: ExamineOptions = {}): ExaminedPage {
      const plugin = output.capture.name
      const plan = capturePlan(output)
      const skipped = output.range?.start ?? 0
      const run = <T>(work: () => Promise<T>) => watch.run(plugin, 'capture', work)
      let page: ReturnType<typeof take> | undefined
      const sessionAt = async (frame: number) => {
        page ??= picturesOnly ? takeForPictures(plan) : take(plan, frame + skipped)
        return (await page).session
      }
      return {
        async show(frame) {
          const { show } = await sessionAt(frame)
          if (!show)
            throw failRender('VID_HOOK_UNANSWERED', { hook: 'capture', wanted: `a page of ${plugin} to examine` })
          const shown = await run(() => show(frame + skipped, plan))
          return {
            evaluate: (expression) => run(() => shown.evaluate(expression)),
            picture: () => run(() => shown.picture()),
          }
        },
        async showPixels(frame) {
          const { showPixels } = await sessionAt(frame)
          if (!showPixels) return undefined
          const shown = await run(() => showPixels(frame + skipped, plan))
          return {
            evaluate: (expression) => run(() => shown.evaluate(expression)),
            pixels: () => run(() => shown.pixels()),
          }
        },
        async close() {
          const leased = await page?.catch(() => undefined)
          await leased?.discard()
        },
      }
    },
    /** Every file that decided how pages look so far; undefined when one of them does not say, or is closed. */
    async inputsOf(sessions: readonly CaptureSession[]): Promise<readonly InputFile[] | undefined> {
      const all = await Promise.all(
        sessions.map(async (session) => (open.has(session) ? session.inputs?.() : undefined)),
      )
      if (all.length === 0 || all.includes(undefined)) return undefined
      const files = all.flatMap((inputs) => inputs ?? [])
      return [...new Map(files.map((file) => [`${file.digest} ${file.source}`, file])).values()]
    },
    /** The warnings of pages since they were opened, each once, without those that concern only this capture. */
    async warningsOf(sessions: readonly CaptureSession[]): Promise<readonly PluginWarning[]> {
      await Promise.all(sessions.map((session) => open.has(session) && session.report?.()))
      const all = sessions.flatMap((session) => warnings.get(session) ?? []).filter(({ transient }) => !transient)
      return [...new Map(all.map((warning) => [canonicalJson(warning), warning])).values()]
    },
    /** Closes the idle pages. */
    release: () => Promise.allSettled(idle.splice(0).map(({ session }) => close(session))),
    close: () => Promise.allSettled([...open].map(close)),
  }
}
export type Pages = ReturnType<typeof createPages>
