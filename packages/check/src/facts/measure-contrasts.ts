import { decodeScreenshot } from '@vid/browser'
import { type ExaminedPage, type FilmContrast, type FilmText, isVidError, type ShownFrame } from '@vid/kernel'
import type { OpenFilm } from '@vid/render'
import { CHECK_GLOBAL, type PageCheck } from '../page-report.ts'
import { pageCall, pageScript } from '../page-script.ts'
import { measureContrast, type PixelPicture } from './contrast-ratio.ts'
import type { ElementList } from './element-list.ts'

/** The frames in which a text looks as it does in one of them. */
const spanOf = (texts: readonly FilmText[], element: number, frame: number): FilmText | undefined =>
  texts.find(
    ({ element: number, isStill, frames: [start, end] }) =>
      number === element && (isStill ? start <= frame && frame < end : start === frame),
  )

/** A frame that a page shows, and how it looks now. */
interface DrawnFrame extends Pick<ShownFrame, 'evaluate'> {
  picture(): Promise<PixelPicture>
}

/** Shows a frame in the page of a film, and reads its pixels in the fastest way that is left. */
const showFrame = async (
  page: ExaminedPage,
  frame: number,
  { width, height }: OpenFilm['plan'],
  isEncoded: boolean,
): Promise<DrawnFrame> => {
  const raw = isEncoded ? undefined : await page.showPixels(frame)
  if (raw)
    return { evaluate: raw.evaluate, picture: async () => ({ width, height, data: await raw.pixels() }) }
  const shown = await page.show(frame)
  return { evaluate: shown.evaluate, picture: async () => decodeScreenshot(await shown.picture()) }
}

/** Measures the texts of one shown frame. */
const measureFrame = async (
  shown: DrawnFrame,
  frame: number,
  page: ReturnType<ElementList['createPage']>,
  width: number,
  texts: readonly FilmText[],
): Promise<FilmContrast[]> => {
  const report = (await shown.evaluate(pageCall('measured'))) as ReturnType<PageCheck['measured']>
  page.add(report.elements)
  if (report.texts.length === 0) return []
  const normal = await shown.picture()
  await shown.evaluate(pageCall('hide', true))
  const hidden = await shown.picture()
  await shown.evaluate(pageCall('hide', false))
  return report.texts.flatMap((text): FilmContrast[] => {
    const element = page.of(text.element)
    const span = spanOf(texts, element, frame)
    if (!span) return []
    const contrast = measureContrast(text, normal, hidden, normal.width / width)
    if (!contrast) return []
    const { fontSize, isBold } = text
    return [{ element, frames: span.frames, frame, fontSize, isBold, ...contrast }]
  })
}

/** What is measured, and how. */
interface Measuring {
  readonly texts: readonly FilmText[]
  /** CSS pixels of the page from left to right. */
  readonly width: number
  /** Whether pictures are screenshots, since the pixels of this page cannot be relied on. */
  readonly isEncoded: boolean
}

/** Measures the contrast of all texts in some frames, which are in order. */
export const measureContrasts = async (
  film: OpenFilm,
  frames: readonly number[],
  elements: ElementList,
  measuring: Measuring,
): Promise<FilmContrast[]> => {
  if (frames.length === 0) return []
  const { run, plan } = film
  const page = run.examine(plan)
  const numbers = elements.createPage()
  const contrasts: FilmContrast[] = []
  try {
    for (const frame of frames) {
      run.signal.throwIfAborted()
      const shown = await showFrame(page, frame, plan, measuring.isEncoded)
      if ((await shown.evaluate(`typeof ${CHECK_GLOBAL}`)) === 'undefined') await shown.evaluate(pageScript())
      contrasts.push(...(await measureFrame(shown, frame, numbers, measuring.width, measuring.texts)))
    }
    return contrasts
  } catch (thrown) {
    if (measuring.isEncoded || !isVidError(thrown) || thrown.code !== 'VID_LANE_UNFIT') throw thrown
    return measureContrasts(film, frames, elements, { ...measuring, isEncoded: true })
  } finally {
    await page.close()
  }
}
