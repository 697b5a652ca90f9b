import { failRender, type RenderPlan } from '@vid/protocol'
import type { ExaminedPage, ExamineOptions } from '../../contracts/kernel-types.ts'
import type { PageLease } from '../../frames/capture-frames.ts'
import { capturePlan } from '../../plan/picture-scale.ts'
import type { Watch } from '../../supervision/watch.ts'
import type { PageLeases } from './page-leases.ts'

/** A page of a plan that shows single frames; it is opened with the first, and used for nothing else later. */
export const examinePage = (
  { take, takeForPictures }: Pick<PageLeases, 'take' | 'takeForPictures'>,
  watch: Watch,
  output: RenderPlan,
  { picturesOnly = false }: ExamineOptions,
): ExaminedPage => {
  const plugin = output.capture.name
  const plan = capturePlan(output)
  const skipped = output.range?.start ?? 0
  const run = <T>(work: () => Promise<T>) => watch.run(plugin, 'capture', work)
  let page: Promise<PageLease> | undefined
  const sessionAt = async (frame: number) => {
    page ??= picturesOnly ? takeForPictures(plan) : take(plan, frame + skipped)
    return (await page).session
  }
  return {
    async show(frame) {
      const { show } = await sessionAt(frame)
      if (!show) throw failRender('VID_HOOK_UNANSWERED', { hook: 'capture', wanted: `a page of ${plugin} to examine` })
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
}
