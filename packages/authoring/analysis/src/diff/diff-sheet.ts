import { type FrameRate, secondsOf } from '@vid/protocol'
import { DIFFERENCE_FACTOR } from '../sheet/page-html.ts'
import type { Sheet, SheetTile } from '../sheet/sheet.ts'
import { amountText, rangeText } from './diff-text.ts'
import type { ExaminedInterval } from './examine-intervals.ts'

/** Before, after and difference of each interval that has pictures. */
export const diffSheet = (
  intervals: readonly ExaminedInterval[],
  fps: FrameRate,
  { width, picture }: { readonly width: number; readonly picture: { readonly width: number; readonly height: number } },
): Sheet => {
  const sections = intervals.flatMap(({ interval, elements, pictures }) => {
    if (!pictures) return []
    const { start, end, worst } = interval
    const { frame } = worst
    const title = `frame ${frame}`
    const tile = (name: string, note: string, shown: SheetTile['picture']): SheetTile => ({
      ...(shown && { picture: shown }),
      ...picture,
      title: `${name} · ${title}`,
      note,
    })
    const range = rangeText({ start, end, from: secondsOf(start, fps), until: secondsOf(end, fps) })
    return [
      {
        heading: [range, ...elements].join(' · '),
        tiles: [
          tile('before', '', { file: pictures.before }),
          tile('after', '', { file: pictures.after }),
          tile(`difference ×${DIFFERENCE_FACTOR}`, amountText(worst), pictures),
        ],
      },
    ]
  })
  return { sections, width, columns: 3 }
}
