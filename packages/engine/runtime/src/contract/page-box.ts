/** An element that can be seen in the frame that is shown, and where. */
export interface PageBox {
  /** Its tag with its id, such as `<h1 id="title">`. */
  readonly element: string
  /** As a selector writes it, such as `#title` or `.word`. */
  readonly selector: string
  /** From the nearest element with an id, itself included, or from the body: `#card/p[2]`, `body/div/p`. */
  readonly path: string
  /** The text that stands in it directly; left out for an element without. */
  readonly text?: string
  /** Position of the timed element that it is or stands in, among all with `data-start` or `data-composition-src`; null for none. */
  readonly clip: number | null
  /** CSS pixels from the left upper corner of the picture, cut to it. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
