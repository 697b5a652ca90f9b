import { decodeScreenshot } from '@vid/browser'
import type { FilmContrast, FilmText, ShownFrame } from '@vid/kernel'
import type { OpenFilm } from '@vid/render'
import { CHECK_GLOBAL, type PageCheck } from '../page-report.ts'
import { pageCall, pageScript } from '../page-script.ts'
import { measureContrast } from './contrast-ratio.ts'
import type { ElementList } from './element-list.ts'

/** The frames in which a text looks as it does in one of them. */
const spanOf = (texts: readonly FilmText[], element: number, frame: number): FilmText | undefined =>
  texts.find(
    ({ element: number, isStill, frames: [start, end] }) =>
      number === element && (isStill ? start <= frame && frame < end : start === frame),
  )

const pictureOf = async (shown: ShownFrame) => decodeScreenshot(await shown.picture())

/** Measures the texts of one shown frame. */
const measureFrame = async (
  shown: ShownFrame,
  frame: number,
  page: ReturnType<ElementList['createPage']>,
  width: number,
  texts: readonly FilmText[],
): Promise<FilmContrast[]> => {
  const report = (await shown.evaluate(pageCall('measured'))) as ReturnType<PageCheck['measured']>
  page.add(report.elements)
  if (report.texts.length === 0) return []
  const normal = await pictureOf(shown)
  await shown.evaluate(pageCall('hide', true))
  const hidden = await pictureOf(shown)
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

/** Measures the contrast of all texts in some frames, which are in order. */
export const measureContrasts = async (
  { run, plan }: OpenFilm,
  frames: readonly number[],
  elements: ElementList,
  { texts, width, onFrame }: { readonly texts: readonly FilmText[]; readonly width: number; onFrame(): void },
): Promise<FilmContrast[]> => {
  if (frames.length === 0) return []
  const page = run.examine(plan)
  const numbers = elements.createPage()
  const contrasts: FilmContrast[] = []
  try {
    for (const frame of frames) {
      run.signal.throwIfAborted()
      const shown = await page.show(frame)
      if ((await shown.evaluate(`typeof ${CHECK_GLOBAL}`)) === 'undefined') await shown.evaluate(pageScript())
      contrasts.push(...(await measureFrame(shown, frame, numbers, width, texts)))
      onFrame()
    }
    return contrasts
  } finally {
    await page.close()
  }
}
