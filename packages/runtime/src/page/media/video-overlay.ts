import { natives } from '../natives.ts'
import type { PacketPicture } from '../packets/packet-jobs.ts'

/** A canvas inside a video, in the place of its picture. */
export interface VideoScreen {
  /** Whether it still lies inside the video. */
  isThere(): boolean
  /** A canvas that holds the picture in its own size. */
  picture(): HTMLCanvasElement
  /** Draws a picture and shows it. */
  draw(picture: PacketPicture): void
  /** Makes what is shown as large as the video has become; a canvas that is not is captured wrongly. */
  fit(): void
  /** Whether what is shown has the size of the video. */
  isFitting(): boolean
  hide(): void
}

const FITTED = ['object-fit', 'object-position', 'object-view-box']

/** Where a picture lies in a box, CSS pixels. */
interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The scale of a picture in a box, across and down, by its `object-fit`. */
const scaleOf = (fit: string, across: number, down: number): readonly [number, number] => {
  if (fit === 'fill') return [across, down]
  if (fit === 'none') return [1, 1]
  const inside = Math.min(across, down)
  const scale = fit === 'cover' ? Math.max(across, down) : fit === 'contain' ? inside : Math.min(1, inside)
  return [scale, scale]
}

const isCut = (style: CSSStyleDeclaration) => (style.getPropertyValue('object-view-box') || 'none') !== 'none'

/** Where a picture of a size lies in a box of whole pixels that it covers; undefined when it is not so. */
const placeIn = (style: CSSStyleDeclaration, own: { width: number; height: number }): Place | undefined => {
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)]
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) return undefined
  if (isCut(style)) return undefined
  const [, x, unitX, y, unitY] = /^(-?[\d.]+)(px|%) (-?[\d.]+)(px|%)$/.exec(style.objectPosition) ?? []
  const [across, down] = scaleOf(style.objectFit, width / own.width, height / own.height)
  const [wide, high] = [own.width * across, own.height * down]
  const offset = (value: string | undefined, unit: string | undefined, room: number) =>
    unit === '%' ? (Number(value) / 100) * room : Number(value)
  const [left, top] = [offset(x, unitX, width - wide), offset(y, unitY, height - high)]
  const isCovered = left <= 0 && top <= 0 && left + wide >= width - 1e-6 && top + high >= height - 1e-6
  return isCovered ? { left, top, width: wide, height: high } : undefined
}

interface Drawn {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
}

/** Makes a canvas; undefined when the browser gives none. */
const createDrawn = (document: Document): Drawn | undefined => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  // Read by the processor, a canvas is part of the page's own picture and no layer that is put over it.
  const context = natives.getContext.call(canvas, '2d', {
    alpha: false,
    willReadFrequently: true,
  }) as CanvasRenderingContext2D | null
  return context ? { canvas, context } : undefined
}

const resize = (canvas: HTMLCanvasElement, width: number, height: number) => {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}

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
  const [shown, kept] = [createDrawn(document), createDrawn(document)]
  if (!shown || !kept) return undefined
  const { canvas } = shown
  canvas.style.cssText = 'display:none;width:100%;height:100%'
  for (const property of FITTED) {
    box.style.setProperty(property, 'inherit')
    canvas.style.setProperty(property, 'inherit')
  }
  box.append(canvas)
  /** The one that holds the picture in its own size. */
  let own = shown
  /** What the shown one was made of last; a video that stands still is not drawn again. */
  let fitted = ''
  const move = (from: Drawn, to: Drawn, { left, top, width, height }: Place) =>
    Reflect.apply(natives.drawImage, to.context, [from.canvas, left, top, width, height])
  return {
    isThere: () => canvas.parentNode === box && box.parentNode === inside,
    picture: () => own.canvas,
    draw({ pixels, wide, width, height }) {
      resize(own.canvas, width, height)
      const image = new natives.ImageData(new Uint8ClampedArray(pixels), wide, height)
      Reflect.apply(natives.putImageData, own.context, [image, 0, 0, 0, 0, width, height])
      canvas.style.setProperty('display', 'block')
      fitted = ''
    },
    fit() {
      const { width, height } = own.canvas
      const style = getComputedStyle(canvas)
      const place = placeIn(style, { width, height })
      const [wide, high] = [Number.parseFloat(style.width), Number.parseFloat(style.height)]
      const whole = { left: 0, top: 0, width, height }
      if (!place || (wide === width && high === height)) {
        if (own === shown) return
        resize(canvas, width, height)
        move(kept, shown, whole)
        own = shown
        fitted = ''
        return
      }
      if (own === shown) {
        resize(kept.canvas, width, height)
        move(shown, kept, whole)
        own = kept
      }
      const now = JSON.stringify([wide, high, place])
      if (now === fitted) return
      fitted = now
      resize(canvas, wide, high)
      shown.context.imageSmoothingQuality = 'medium'
      move(kept, shown, place)
    },
    isFitting() {
      if (canvas.style.display === 'none') return true
      const style = getComputedStyle(canvas)
      const { currentCSSZoom: zoom = 1 } = canvas as { currentCSSZoom?: number }
      const [wide, high] = [Number.parseFloat(style.width), Number.parseFloat(style.height)]
      return zoom === 1 && wide === canvas.width && high === canvas.height && !isCut(style)
    },
    hide: () => canvas.style.setProperty('display', 'none'),
  }
}
