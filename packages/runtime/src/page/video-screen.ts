import { natives } from './natives.ts'

/** A canvas inside a video, in the place of its picture. */
export interface VideoScreen {
  readonly canvas: HTMLCanvasElement
  /** Draws a picture and shows it. */
  draw(picture: VideoFrame): void
  hide(): void
}

const FITTED = ['object-fit', 'object-position', 'object-view-box']

/**
 * Puts a canvas into the shadow tree of a video: beside its controls, in the box for captions, which has the size of the
 * picture. Undefined when there is no such box.
 */
export const createVideoScreen = (document: Document, inside: ShadowRoot): VideoScreen | undefined => {
  const box = inside.firstElementChild
  if (!(box instanceof HTMLElement) || getComputedStyle(box).position !== 'relative') return undefined
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
    draw(picture) {
      const { displayWidth: width, displayHeight: height } = picture
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      natives.drawImage.call(context, picture, 0, 0)
      canvas.style.setProperty('display', 'block')
    },
    hide: () => canvas.style.setProperty('display', 'none'),
  }
}
