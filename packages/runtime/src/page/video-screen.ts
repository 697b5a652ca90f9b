import { natives } from './natives.ts'
import type { PacketPicture } from './packet-jobs.ts'

/** A canvas inside a video, in the place of its picture. */
export interface VideoScreen {
  readonly canvas: HTMLCanvasElement
  /** Draws a picture and shows it. */
  draw(picture: PacketPicture): void
  hide(): void
}

const FITTED = ['object-fit', 'object-position', 'object-view-box']

/**
 * Puts a canvas into the shadow tree of a video. A browser lays out nothing there but controls and the box for captions,
 * which has the size of the picture; a box of its own would tell the page of a text track, so that of a lender is taken.
 */
export const createVideoScreen = (
  document: Document,
  inside: ShadowRoot,
  lent: ShadowRoot,
): VideoScreen | undefined => {
  const lender = lent.host as HTMLVideoElement
  // The box is made where the video has a place, and here nobody sees it.
  inside.append(lender)
  natives.addTextTrack.call(lender, 'metadata')
  const box = lent.firstElementChild
  lender.remove()
  if (!(box instanceof HTMLElement) || inside.firstElementChild === null) return undefined
  // Not as the first: captions of the page would take that for theirs.
  inside.insertBefore(box, inside.firstElementChild.nextSibling)
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  canvas.style.cssText = 'display:none;width:100%;height:100%'
  for (const property of FITTED) {
    box.style.setProperty(property, 'inherit')
    canvas.style.setProperty(property, 'inherit')
  }
  // Read by the processor, a canvas is part of the page's own picture and no layer that is put over it.
  const context = natives.getContext.call(canvas, '2d', {
    alpha: false,
    willReadFrequently: true,
  }) as CanvasRenderingContext2D | null
  if (!context) return undefined
  box.append(canvas)
  return {
    canvas,
    draw({ pixels, wide, width, height }) {
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      const image = new natives.ImageData(new Uint8ClampedArray(pixels), wide, height)
      Reflect.apply(natives.putImageData, context, [image, 0, 0, 0, 0, width, height])
      canvas.style.setProperty('display', 'block')
    },
    hide: () => canvas.style.setProperty('display', 'none'),
  }
}
