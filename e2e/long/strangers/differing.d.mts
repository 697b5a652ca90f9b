/** A picture of 4 bytes a pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The part of the pixels that differ, from 0 to 1: those unlike each of the nine pixels around them in the other picture. */
export const differingPart: (one: Picture, other: Picture) => number
