import { decodeScreenshot } from '@vid/browser'
import type { CompositionContrast, CompositionText, ExaminedPage, ShownFrame } from '@vid/kernel'
import { isVidError } from '@vid/protocol'
import type { OpenComposition } from '@vid/render'
import { CHECK_GLOBAL, type PageCheck, type ReportedElement } from '../page-report.ts'
import { examinerScript, pageCall } from '../page-script.ts'
import { measureContrast, type PixelPicture } from './contrast-ratio.ts'
import type { ElementList } from './element-list.ts'

/** The frames in which a text looks as it does in one of them. */
const spanOf = (texts: readonly CompositionText[], element: number, frame: number): CompositionText | undefined =>
  texts.find(
    ({ element: number, isStill, frames: [start, end] }) =>
      number === element && (isStill ? start <= frame && frame < end : start === frame),
  )

/** A frame that a page shows, and how it looks now. */
interface DrawnFrame extends Pick<ShownFrame, 'evaluate'> {
  picture(): Promise<PixelPicture>
}

/** Shows a frame in the page of a composition, and reads its pixels in the fastest way that is left. */
const showFrame = async (
  page: ExaminedPage,
  frame: number,
  { width, height }: OpenComposition['plan'],
  isEncoded: boolean,
): Promise<DrawnFrame> => {
  const raw = isEncoded ? undefined : await page.showPixels(frame)
  if (raw) return { evaluate: raw.evaluate, picture: async () => ({ width, height, data: await raw.pixels() }) }
  const shown = await page.show(frame)
  return { evaluate: shown.evaluate, picture: async () => decodeScreenshot(await shown.picture()) }
}

/** How a text stands out in one frame. */
interface MeasuredContrast extends Omit<CompositionContrast, 'element' | 'frames'> {
  readonly reported: ReportedElement
}

/** The texts of frames that were measured. */
export type MeasuredFrames = ReadonlyMap<number, readonly MeasuredContrast[]>

/** The elements of one page, as it has reported them and as positions in the list of the composition. */
interface PageNumbers {
  readonly reported: ReportedElement[]
  readonly numbers: ReturnType<ElementList['createPage']>
}

/** Measures the texts of one shown frame. */
const measureFrame = async (
  shown: DrawnFrame,
  frame: number,
  { reported, numbers }: PageNumbers,
  { texts, width }: Measuring,
): Promise<MeasuredContrast[]> => {
  const report = (await shown.evaluate(pageCall('measured'))) as ReturnType<PageCheck['measured']>
  reported.push(...report.elements)
  numbers.add(report.elements)
  const readable = report.texts.filter((text) => spanOf(texts, numbers.of(text.element), frame))
  if (readable.length === 0) return []
  const normal = await shown.picture()
  await shown.evaluate(pageCall('hide', true))
  const hidden = await shown.picture()
  await shown.evaluate(pageCall('hide', false))
  return readable.flatMap((text): MeasuredContrast[] => {
    const element = reported[text.element]
    const contrast = element && measureContrast(text, normal, hidden, normal.width / width)
    if (!contrast) return []
    const { fontSize, isBold } = text
    return [{ reported: element, frame, fontSize, isBold, ...contrast }]
  })
}

/** What is measured, and how. */
interface Measuring {
  readonly texts: readonly CompositionText[]
  /** CSS pixels of the page from left to right. */
  readonly width: number
  /** Whether pictures are screenshots, since the pixels of this page cannot be relied on. */
  readonly isEncoded: boolean
}

/** Measures the contrast of all texts in some frames, which are in order. */
export const measureFrames = async (
  composition: OpenComposition,
  frames: readonly number[],
  elements: ElementList,
  measuring: Measuring,
): Promise<MeasuredFrames> => {
  const measured = new Map<number, readonly MeasuredContrast[]>()
  if (frames.length === 0) return measured
  const { run, plan } = composition
  const page = run.examine(plan)
  const numbers = { reported: [], numbers: elements.createPage() }
  try {
    for (const frame of frames) {
      run.signal.throwIfAborted()
      const shown = await showFrame(page, frame, plan, measuring.isEncoded)
      if ((await shown.evaluate(`typeof ${CHECK_GLOBAL}`)) === 'undefined') await shown.evaluate(examinerScript())
      measured.set(frame, await measureFrame(shown, frame, numbers, measuring))
    }
    return measured
  } catch (thrown) {
    if (measuring.isEncoded || !isVidError(thrown) || thrown.code !== 'VID_LANE_UNFIT') throw thrown
    return measureFrames(composition, frames, elements, { ...measuring, isEncoded: true })
  } finally {
    await page.close()
  }
}

/** What was measured as facts of a composition: by its elements, and the frames in which they look alike. */
export const contrastsOf = (
  measured: MeasuredFrames,
  elements: ElementList,
  texts: readonly CompositionText[],
): CompositionContrast[] => {
  const all = [...measured].sort(([one], [other]) => one - other).flatMap(([, contrasts]) => contrasts)
  const numbers = elements.createPage()
  numbers.add(all.map(({ reported }) => reported))
  return all.flatMap(({ reported: _, ...contrast }, index) => {
    const element = numbers.of(index)
    const span = spanOf(texts, element, contrast.frame)
    return span ? [{ element, frames: span.frames, ...contrast }] : []
  })
}
