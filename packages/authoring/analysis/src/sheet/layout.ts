import type { Sheet, SheetTile } from './sheet.ts'

/** Something on a page, in pixels. */
export interface Placed {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly content: { readonly heading: string } | { readonly tile: SheetTile }
}

/** One picture of a sheet. */
export interface SheetPage {
  readonly width: number
  readonly height: number
  readonly placed: readonly Placed[]
}

/** Space around tiles. */
export const GAP = 12

/** Height of a title below a tile, and of the two lines of a note. */
const TITLE = 28
const NOTE = 36

const HEADING = 34

/** Longest page: a larger picture is made smaller before an assistant sees it. */
const MAX_HEIGHT = 1568

const pageHeight = (width: number) => Math.max(width, MAX_HEIGHT)

/** Width of a character of a note, at most: longer texts are shortened. */
const CHARACTER = 8

/** Characters of a line below a tile. */
export const charactersIn = (width: number): number => Math.max(8, Math.floor(width / CHARACTER))

/** A row of tiles, or a heading, that is not divided between pages. */
interface Block {
  readonly height: number
  readonly place: (y: number) => readonly Placed[]
}

const blocksOf = ({ sections, width, columns }: Sheet): Block[] => {
  const tileWidth = Math.floor((width - GAP * (columns + 1)) / columns)
  const maxHeight = pageHeight(width) - TITLE - NOTE - HEADING - 3 * GAP
  const sizeOf = ({ width: wide, height: high }: SheetTile) => {
    const scale = Math.min(tileWidth / wide, maxHeight / high)
    return { width: Math.round(wide * scale), height: Math.round(high * scale) }
  }
  return sections.flatMap(({ heading, tiles }) => {
    const blocks: Block[] = []
    if (heading !== undefined) {
      const size = { x: GAP, width: width - 2 * GAP, height: HEADING }
      blocks.push({ height: HEADING, place: (y) => [{ ...size, y, content: { heading } }] })
    }
    for (let first = 0; first < tiles.length; first += columns) {
      const row = tiles.slice(first, first + columns)
      const sizes = row.map(sizeOf)
      const label = TITLE + (row.some(({ note }) => note !== '') ? NOTE : 0)
      const height = Math.max(...sizes.map((size) => size.height)) + label + GAP
      const place = (y: number) =>
        row.map((tile, column): Placed => {
          const size = sizes[column] ?? { width: tileWidth, height: tileWidth }
          return { x: GAP + column * (tileWidth + GAP), y, ...size, content: { tile } }
        })
      blocks.push({ height, place })
    }
    return blocks
  })
}

/** Puts the tiles of a sheet on pages. */
export const layoutSheet = (sheet: Sheet): readonly SheetPage[] => {
  const { width } = sheet
  const pages: SheetPage[] = []
  let placed: Placed[] = []
  let y = GAP
  const endPage = () => {
    if (placed.length > 0) pages.push({ width, height: y, placed })
    placed = []
    y = GAP
  }
  const blocks = blocksOf(sheet)
  for (const [index, block] of blocks.entries()) {
    const isHeading = block.height === HEADING
    // A heading stays with the row below it.
    const needed = block.height + (isHeading ? (blocks[index + 1]?.height ?? 0) : 0)
    if (y + needed > pageHeight(width)) endPage()
    placed.push(...block.place(y))
    y += block.height
  }
  endPage()
  return pages
}
