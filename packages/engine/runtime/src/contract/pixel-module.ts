/** The exports of `planar.wat`; all positions are bytes of its memory. */
export interface PixelModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  /** Converts an even number of rows of bgra to their rows in three planes. */
  convert(from: number, luma: number, u: number, v: number, width: number, rows: number): void
  /** Converts premultiplied bgra to straight pixels; `bytes` is a multiple of 16. */
  straighten(from: number, to: number, bytes: number, rgba: 0 | 1): void
  alphas(from: number, to: number, pixels: number): void
  /** Returns 1 if bytes differ, whose number is a multiple of 4. */
  differ(one: number, other: number, bytes: number): 0 | 1
}
