import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawSheet, type SheetMark, type SheetSection, type SheetTile } from '@vid/analysis'
import { layoutSize } from '@vid/protocol'
import { type CompositionSettings, checkSources, type OpenComposition, type Renderer } from '@vid/render'
import { makeScratchFolder } from '@vid/system'
import type { CheckFinding } from '../events.ts'
import { groupBy } from '../group-by.ts'
import { inRun, type VariedRun } from '../variables/varied-run.ts'

/** Findings that are shown; of more, the text says it. */
const MAX_TILES = 60

/** Tiles beside each other on a page of 1568 pixels. */
const COLUMNS = 3
const FULL_WIDTH = 1568

/** What is drawn, and where it goes. */
export interface CheckSheetSettings {
  readonly composition: CompositionSettings
  readonly runs: readonly VariedRun[]
  readonly findings: readonly CheckFinding[]
  readonly width: number
  /** Absolute path of the PNG. */
  readonly output: string
  readonly env: NodeJS.ProcessEnv
}

/** The frame that shows a finding best: the one that it measured, else its middle. */
const frameOf = ({ frames: [start = 0, end = 1], figures }: CheckFinding): number => {
  const { frame } = figures
  return typeof frame === 'number' && frame >= start && frame < end ? frame : Math.floor((start + end - 1) / 2)
}

const seconds = (value: number) => String(Math.round(value * 100) / 100)

const marksOf = (findings: readonly CheckFinding[]): SheetMark[] =>
  findings.flatMap(({ where: { box }, level }) => (box ? [{ area: box, level }] : []))

const tileOf = (finding: CheckFinding, { plan }: OpenComposition, file: string): SheetTile => {
  const { rule, level, message, from, to } = finding
  return {
    picture: { file },
    marks: { page: layoutSize(plan, plan.scale), list: marksOf([finding]) },
    width: plan.width,
    height: plan.height,
    title: `${level} ${rule} · ${seconds(from)} to ${seconds(to)} s`,
    note: message,
  }
}

/** Captures the frames of findings, in order, and draws a frame around each. */
const takeTiles = async (
  composition: OpenComposition,
  findings: readonly CheckFinding[],
  folder: string,
  prefix: string,
) => {
  const page = composition.run.examine(composition.plan)
  const ordered = [...findings].sort((one, other) => frameOf(one) - frameOf(other))
  const tiles: SheetTile[] = []
  let taken = -1
  try {
    for (const finding of ordered) {
      const frame = Math.min(composition.plan.frames - 1, frameOf(finding))
      const file = `${prefix}-${frame}.png`
      if (frame !== taken) {
        const picture = await (await page.show(frame)).picture()
        await writeFile(join(folder, file), picture, { signal: composition.run.signal })
      }
      taken = frame
      tiles.push(tileOf(finding, composition, file))
    }
    return tiles
  } finally {
    await page.close()
  }
}

/** Draws each finding in its picture; returns the paths of the pages. */
export const drawCheckSheet = async (
  renderer: Renderer,
  { composition, runs, findings, width, output, env }: CheckSheetSettings,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (findings.length === 0) return []
  const folder = await makeScratchFolder(tmpdir(), 'vid-check-')
  try {
    const sections: SheetSection[] = []
    for (const [name, list] of groupBy(findings.slice(0, MAX_TILES), ({ variables }) => variables)) {
      const run = runs.find((other) => other.name === name)
      const side = Math.ceil((width * 640) / FULL_WIDTH)
      const { result } = await renderer.withComposition(
        { ...(run ? inRun(composition, run) : composition), side },
        async (open) => {
          await checkSources([output], open.plan, open.request, signal)
          return takeTiles(open, list, folder, `run-${sections.length}`)
        },
        { signal },
      )
      sections.push({ tiles: result, ...(name !== null && { heading: `with ${name}` }) })
    }
    const columns = Math.max(1, Math.min(findings.length, Math.round((COLUMNS * width) / FULL_WIDTH)))
    const pages = await drawSheet({ sections, width, columns }, { folder, output, env, signal })
    return pages.map(({ path }) => path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
