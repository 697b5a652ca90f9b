import { kernelWarning, type RenderPlan, type Segment } from '@vid/protocol'
import type { ExaminedPage, ExamineOptions } from '../../contracts/kernel-types.ts'
import type { CaptureSession, Frame, InputFile, PluginWarning } from '../../contracts/roles.ts'
import { captureFrames, type FramesOptions } from '../../frames/capture-frames.ts'
import { checkFrames } from '../../frames/check-frames.ts'
import { canonicalJson } from '../../plan/plan-identity.ts'
import { probedPlan } from '../../plan/probed-plan.ts'
import { checkAnswer } from '../../supervision/answers.ts'
import { retryMachineFaults } from '../../supervision/machine-retry.ts'
import type { Watch } from '../../supervision/watch.ts'
import type { Scope } from '../scope.ts'
import { examinePage } from './examined-page.ts'
import { createPageLeases, type PageLeases } from './page-leases.ts'

const probeOnce = async ({ take }: PageLeases, watch: Watch, draft: RenderPlan) => {
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

/** The pages of a render: opened by the capture plugin, used one after another, closed at the end. */
export const createPages = (scope: Scope) => {
  const { watch, signal } = scope
  const leases = createPageLeases(scope)
  const { take, isOpen } = leases
  return {
    /**
     * Runs the page of a draft, again when its browser or the page is killed; a page that was only probed has not been
     * seeked, so any segment may use it later.
     */
    probe: (draft: RenderPlan) =>
      retryMachineFaults(() => probeOnce(leases, watch, draft), {
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
    examine: (output: RenderPlan, options: ExamineOptions = {}): ExaminedPage =>
      examinePage(leases, watch, output, options),
    /** Every file that decided how pages look so far; undefined when one of them does not say, or is closed. */
    async inputsOf(sessions: readonly CaptureSession[]): Promise<readonly InputFile[] | undefined> {
      const all = await Promise.all(sessions.map(async (session) => (isOpen(session) ? session.inputs?.() : undefined)))
      if (all.length === 0 || all.includes(undefined)) return undefined
      const files = all.flatMap((inputs) => inputs ?? [])
      return [...new Map(files.map((file) => [`${file.digest} ${file.source}`, file])).values()]
    },
    /** The warnings of pages since they were opened, each once, without those that concern only this capture. */
    async warningsOf(sessions: readonly CaptureSession[]): Promise<readonly PluginWarning[]> {
      await Promise.all(sessions.map((session) => isOpen(session) && session.report?.()))
      const all = sessions.flatMap(leases.warningsOf).filter(({ transient }) => !transient)
      return [...new Map(all.map((warning) => [canonicalJson(warning), warning])).values()]
    },
    release: leases.release,
    close: leases.close,
  }
}
export type Pages = ReturnType<typeof createPages>
