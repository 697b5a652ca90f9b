/** Part of a picture, in CSS pixels of the page that it shows. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A frame around a part of a picture. */
export interface SheetMark {
  readonly area: Area
  readonly level: 'error' | 'warning' | 'note'
}

/** A PNG, or the part of it that is shown, with the size of its page. */
export interface StillPicture {
  readonly file: string
  readonly part?: { readonly area: Area; readonly page: { readonly width: number; readonly height: number } }
}

/** What a tile shows: a PNG, or how two PNGs of one size differ. */
export type TilePicture = StillPicture | { readonly before: string; readonly after: string }

/** A picture with a label. */
export interface SheetTile {
  /** Left out where there is no picture, with the reason in the note. */
  readonly picture?: TilePicture
  /** Size of the picture, in pixels; tiles of one section may differ. */
  readonly width: number
  readonly height: number
  /** What is framed in the picture, with the size of its page. */
  readonly marks?: {
    readonly page: { readonly width: number; readonly height: number }
    readonly list: readonly SheetMark[]
  }
  /** One line. */
  readonly title: string
  /** At most two lines. */
  readonly note: string
}

/** Tiles that begin on a new line, below a heading. */
export interface SheetSection {
  readonly heading?: string
  readonly tiles: readonly SheetTile[]
}

/** Tiles in sections, drawn on one page or several. */
export interface Sheet {
  readonly sections: readonly SheetSection[]
  /** Width of a page in pixels. */
  readonly width: number
  /** Tiles beside each other. */
  readonly columns: number
}
