/** A captured element, which only its own canvas can draw; too new for the type library. */
export interface ElementPicture {
  close?(): void
}

/** The context of a canvas that draws captured elements. */
export interface ElementContext extends OffscreenCanvasRenderingContext2D {
  drawElementImage(picture: ElementPicture, x: number, y: number): void
}

/** Empties the whole canvas; an opaque one is filled. */
export const clear = (context: ElementContext, opaque: boolean): void => {
  const { width, height } = context.canvas
  if (opaque) context.fillRect(0, 0, width, height)
  else context.clearRect(0, 0, width, height)
}
