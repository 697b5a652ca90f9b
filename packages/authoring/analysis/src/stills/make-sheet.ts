import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import {
  type BatchRow,
  type CompositionOptions,
  type CompositionSettings,
  checkSources,
  type Renderer,
} from '@vid/render'
import { makeScratchFolder } from '@vid/system'
import { drawSheet } from '../sheet/draw-sheet.ts'
import type { SheetSection } from '../sheet/sheet.ts'
import { type StillChoice, statesFor } from './choose-stills.ts'
import type { DrawnSheet } from './sheet-schema.ts'
import { type StillTile, takeTiles } from './take-tiles.ts'

/** What a sheet shows, and where it goes. */
export interface SheetSettings {
  readonly composition: CompositionSettings
  readonly choice: StillChoice
  readonly zoom?: string
  /** Values of variables, one row of stills for each; left out, the composition is shown once. */
  readonly rows?: readonly BatchRow[]
  /** Pixels of a page. */
  readonly width: number
  /** Absolute path of the PNG. */
  readonly output: string
  readonly env: NodeJS.ProcessEnv
}

export interface SheetOptions extends Pick<CompositionOptions, 'signal' | 'onWarning' | 'onConsole'> {
  onTile?(taken: number, total: number): void
}

/** The stills of a composition, or of a row of a batch. */
interface StillSection extends SheetSection {
  readonly tiles: readonly StillTile[]
  /** Null without a batch. */
  readonly row: number | null
}

/** Tiles beside each other on a page of 1568 pixels, by their shape. */
const COLUMNS = { wide: 4, square: 5, high: 7 }

const FULL_WIDTH = 1568

const columnsFor = (tiles: readonly StillTile[], width: number): number => {
  const [first] = tiles
  const shape = first ? first.width / first.height : 1
  const full = shape > 1.2 ? COLUMNS.wide : shape > 0.8 ? COLUMNS.square : COLUMNS.high
  return Math.max(1, Math.min(tiles.length, Math.round((full * width) / FULL_WIDTH)))
}

/** A row of a batch in a line. */
const rowText = (row: BatchRow, index: number): string =>
  `${index}: ${Object.entries(row)
    .map(([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')}`

/** Length of the longer side of a picture that fills a tile, with pixels to spare; an element is shown at full size. */
const sideFor = ({ zoom, width }: SheetSettings): Pick<CompositionSettings, 'side'> =>
  zoom === undefined ? { side: Math.ceil((width * 480) / FULL_WIDTH) } : {}

/** Captures stills of a composition and draws them with labels on one page or several. */
export const makeSheet = async (
  renderer: Renderer,
  settings: SheetSettings,
  { onTile, ...options }: SheetOptions,
): Promise<DrawnSheet> => {
  const { composition, choice, zoom, rows, width, output, env } = settings
  const { signal } = options
  const folder = await makeScratchFolder(tmpdir(), 'vid-sheet-')
  try {
    const sections: StillSection[] = []
    for (const [index, row] of (rows ?? [undefined]).entries()) {
      const varied = row ? { ...composition, variables: { ...composition.variables, ...row } } : composition
      const states = await statesFor(renderer, choice, varied, signal)
      const job = { choice, states, zoom, folder, prefix: `still-${index}`, ...(onTile && { onTile }) }
      const { result: tiles } = await renderer.withComposition(
        { ...varied, ...sideFor(settings) },
        async (open) => {
          await checkSources([output], open.plan, open.request, signal)
          return takeTiles(open, job)
        },
        options,
      )
      sections.push({ tiles, row: row ? index : null, ...(row && { heading: rowText(row, index) }) })
    }
    const all = sections.flatMap(({ tiles }) => tiles)
    const columns = columnsFor(rows ? (sections[0]?.tiles ?? []) : all, width)
    const pages = await drawSheet({ sections, width, columns }, { folder, output, env, signal })
    return {
      pages: pages.map((page) => ({ ...page })),
      tiles: sections.flatMap(({ tiles, row }) => tiles.map(({ frame, time, note }) => ({ frame, time, note, row }))),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
