import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layoutSize } from '@vid/protocol'
import type { OpenComposition } from '@vid/render'
import { readPageBoxes } from '../outline/read-outline.ts'
import { changedElements } from './changed-elements.ts'
import type { FrameInterval } from './intervals.ts'

/** What is known of an interval beside its pixels. */
export interface ExaminedInterval {
  readonly interval: FrameInterval
  readonly elements: readonly string[]
  /** Names of the pictures of its worst frame in the folder; left out where none were asked for. */
  readonly pictures?: { readonly before: string; readonly after: string }
}

/** Intervals that are examined; of others, the pixels must do. */
export const MAX_EXAMINED = 40

/** Examines the worst frame of each interval on both sides; pictures go to `folder`, where one is given. */
export const examineIntervals = async (
  [before, after]: readonly [OpenComposition, OpenComposition],
  intervals: readonly FrameInterval[],
  folder: string | undefined,
): Promise<readonly ExaminedInterval[]> => {
  const pages = [before, after].map(({ run, plan }) => run.examine(plan))
  const { plan } = after
  const factor = layoutSize(plan, plan.scale).width / plan.width
  const examined: ExaminedInterval[] = []
  try {
    for (const [index, interval] of intervals.entries()) {
      if (index >= MAX_EXAMINED) {
        examined.push({ interval, elements: [] })
        continue
      }
      const { frame, box } = interval.worst
      const shown = await Promise.all(pages.map((page) => page.show(frame)))
      const [old = [], now = []] = await Promise.all(shown.map((view) => readPageBoxes(view)))
      const changed = { x: box.x * factor, y: box.y * factor, width: box.width * factor, height: box.height * factor }
      const elements = changedElements(old, now, changed)
      if (folder === undefined) {
        examined.push({ interval, elements })
        continue
      }
      const names = { before: `before-${frame}.png`, after: `after-${frame}.png` }
      for (const [view, name] of [[shown[0], names.before] as const, [shown[1], names.after] as const])
        if (view) await writeFile(join(folder, name), await view.picture())
      examined.push({ interval, elements, pictures: names })
    }
    return examined
  } finally {
    await Promise.all(pages.map((page) => page.close()))
  }
}
