import { bytesText } from '../text/text.ts'
import { bar, createPace, leftText } from './pace.ts'
import type { Progress } from './progress.ts'

/** What is counted, and how its numbers are written. */
export interface Counted {
  /** Such as `uploading`. */
  readonly doing: string
  text(done: number, total: number): string
  /** Such as `4.1 MB/s`; left out, the speed is not shown. */
  speed?(perSecond: number): string
}

/** Bytes that pass. */
export const countedBytes = (doing: string): Counted => ({
  doing,
  text: (done, total) => `${bytesText(done)} of ${bytesText(total)}`,
  speed: (perSecond) => `${bytesText(perSecond)}/s`,
})

const STEPS = 4

/**
 * Shows how much of something is done: on a terminal with a bar, the speed and the time left, each hundredth; elsewhere as
 * a line for each quarter.
 */
export const countedProgress = (
  { isLive, show, count }: Pick<Progress, 'isLive' | 'show' | 'count'>,
  { doing, text, speed }: Counted,
  now?: () => number,
) => {
  const measure = createPace(now)
  let shown = -1
  return (done: number, total: number): void => {
    if (count) {
      count(doing, done, total)
      return
    }
    const share = total > 0 ? done / total : 1
    const pace = measure(done, total)
    const step = Math.floor(share * (isLive ? 100 : STEPS))
    if (step === shown) return
    shown = step
    if (!isLive) {
      show(`${doing}: ${text(done, total)}`)
      return
    }
    const parts = [
      `${doing} ${bar(share)} ${Math.floor(share * 100)} %`,
      text(done, total),
      pace && speed ? speed(pace.perSecond) : '',
      pace && done < total ? leftText(pace.left) : '',
    ]
    show(parts.filter(Boolean).join(', '))
  }
}
