import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShownFrame } from '@vid/kernel'
import { layoutSize, secondsOf } from '@vid/protocol'
import type { OpenComposition } from '@vid/render'
import { fail } from '../errors.ts'
import { readOutline } from '../outline/read-outline.ts'
import type { Area, SheetTile } from '../sheet/sheet.ts'
import type { FoundStates } from '../states/find-states.ts'
import {
  type ChosenStill,
  MAX_STILLS,
  type StillChoice,
  stillsByTime,
  stillsOfClips,
  stillsOfStates,
  timeWithUnit,
} from './choose-stills.ts'

/** A tile, and what it shows of the composition. */
export interface StillTile extends SheetTile {
  readonly frame: number
  /** Seconds. */
  readonly time: number
}

/** What is captured of a composition. */
export interface TileSettings {
  readonly choice: StillChoice
  readonly states: FoundStates | undefined
  /** A selector, whose element fills the tiles with some margin. */
  readonly zoom: string | undefined
  /** Folder of the pictures, and how their names begin. */
  readonly folder: string
  readonly prefix: string
  onTile?(taken: number, total: number): void
}

/** Part of the size of an element that is shown around it. */
const MARGIN = 0.15

/** The element of a selector in the shown frame, with some margin; null when it is not in the picture. */
const areaOf = async (shown: ShownFrame, selector: string): Promise<Area | null> => {
  const answer = (await shown.evaluate(`(() => {
    let element
    try { element = document.querySelector(${JSON.stringify(selector)}) } catch { return 'invalid' }
    if (!element?.checkVisibility({ visibilityProperty: true })) return null
    const { x, y, width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 ? { x, y, width, height } : null
  })()`)) as Area | 'invalid' | null
  if (answer === 'invalid') throw fail('VID_SHEET_ZOOM', { selector })
  if (!answer) return null
  const margin = Math.max(16, MARGIN * Math.max(answer.width, answer.height))
  return {
    x: answer.x - margin,
    y: answer.y - margin,
    width: answer.width + 2 * margin,
    height: answer.height + 2 * margin,
  }
}

const chooseStills = async (
  { plan }: OpenComposition,
  { choice, states }: Pick<TileSettings, 'choice' | 'states'>,
  first: () => Promise<ShownFrame>,
): Promise<readonly ChosenStill[]> => {
  if (choice.kind === 'changes') return states ? stillsOfStates(states, plan) : []
  if (choice.kind === 'per-clip') return stillsOfClips((await readOutline(await first())).clips, plan)
  return stillsByTime(choice, plan)
}

/** Captures the tiles of a composition, in order of its frames; `--zoom` cuts them in the sheet. */
export const takeTiles = async (
  composition: OpenComposition,
  settings: TileSettings,
): Promise<readonly StillTile[]> => {
  const { run, plan } = composition
  const { zoom, folder, prefix, onTile } = settings
  const page = run.examine(plan)
  let shown: { readonly frame: number; readonly view: ShownFrame } | undefined
  const show = async (frame: number) => {
    if (shown?.frame !== frame) shown = { frame, view: await page.show(frame) }
    return shown.view
  }
  try {
    const chosen = await chooseStills(composition, settings, () => show(0))
    if (chosen.length > MAX_STILLS) throw fail('VID_SHEET_STILLS', { stills: chosen.length, max: MAX_STILLS })
    const ordered = [...chosen].sort((one, other) => one.frame - other.frame)
    const tiles = new Map<ChosenStill, StillTile>()
    onTile?.(0, ordered.length)
    for (const still of ordered) {
      const { frame, note } = still
      const view = await show(frame)
      const file = `${prefix}-${frame}.png`
      await writeFile(join(folder, file), await view.picture(), { signal: run.signal })
      const area = zoom === undefined ? undefined : await areaOf(view, zoom)
      const time = secondsOf(frame, plan.fps)
      tiles.set(still, {
        picture: { file, ...(area && { part: { area, page: layoutSize(plan, plan.scale) } }) },
        width: area?.width ?? plan.width,
        height: area?.height ?? plan.height,
        title: `${timeWithUnit(time)} · frame ${frame}`,
        note: area === null ? [`${zoom} is not in the picture`, note].filter(Boolean).join('; ') : note,
        frame,
        time,
      })
      onTile?.(tiles.size, ordered.length)
    }
    return chosen.flatMap((still) => tiles.get(still) ?? [])
  } finally {
    await page.close()
  }
}
