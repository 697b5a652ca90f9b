import type { PacketPicture } from '../packets/packet-jobs.ts'
import { natives } from '../realm/natives.ts'
import { createDrawing, type Drawing } from './drawing.ts'
import type { PictureCanvases } from './picture-canvases.ts'
import { covers, isCropped, type PicturePlacement, placementIn } from './picture-placement.ts'

/** A canvas inside a video, which replaces its picture. */
export interface VideoOverlay {
  /** Whether it is still inside the video. */
  isAttached(): boolean
  /** A canvas with the picture in its original size. */
  picture(): HTMLCanvasElement
  /** Draws a picture and shows it. */
  draw(picture: PacketPicture): void
  /** Resizes the shown canvas to the video; a canvas of another size would be captured wrongly. */
  fit(): void
  /** Whether the shown canvas has the size of the video. */
  isFitting(): boolean
  hide(): void
}

/** Properties of the video's picture that apply to the canvas too. */
const INHERITED = ['object-fit', 'object-position', 'object-view-box']

const resize = (canvas: HTMLCanvasElement, width: number, height: number) => {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}

const copy = (from: Drawing, to: Drawing, { left, top, width, height }: PicturePlacement) =>
  Reflect.apply(natives.drawImage, to.context, [from.canvas, left, top, width, height])

/**
 * Moves the caption box of a spare video into the shadow tree of another video. In that tree, a browser lays out only
 * controls and the caption box, which has the size of the picture. The video's own caption box would expose
 * a text track to the page.
 */
const insertBox = (shadow: ShadowRoot, spareShadow: ShadowRoot): HTMLElement | undefined => {
  const spare = spareShadow.host as HTMLVideoElement
  // The box is created where the video is laid out; in the shadow tree it is invisible.
  shadow.append(spare)
  natives.addTextTrack.call(spare, 'metadata')
  const box = spareShadow.firstElementChild
  spare.remove()
  if (!(box instanceof HTMLElement) || shadow.firstElementChild === null) return undefined
  // Not as the first child: captions of the page would use that as their box.
  shadow.insertBefore(box, shadow.firstElementChild.nextSibling)
  return box
}

/** With a hidden back, the canvas is captured where it lies inside a border and padding too. */
const CANVAS_STYLE = [
  'position:relative;left:0;top:0;width:100%;height:100%;backface-visibility:hidden',
  ...INHERITED.map((property) => `${property}:inherit`),
].join(';')

const insertCanvas = (box: HTMLElement, canvas: HTMLCanvasElement) => {
  for (const property of INHERITED) box.style.setProperty(property, 'inherit')
  canvas.style.cssText = `display:none;${CANVAS_STYLE}`
  box.append(canvas)
}

/** Options for showing pictures in the videos of a page. */
export interface OverlaySettings {
  /** Pixels of the page's picture for each CSS pixel. */
  readonly scale: number
  /** Canvases to alternate between; without them, a video has one. */
  readonly canvases?: PictureCanvases | undefined
}

/** The shadow tree of a video and of a spare one. */
export interface OverlayPlace extends OverlaySettings {
  readonly shadow: ShadowRoot
  readonly spareShadow: ShadowRoot
}

/** Adds a canvas to the shadow tree of a video; undefined when there is no room for one. */
export const createVideoOverlay = (
  document: Document,
  { shadow, spareShadow, scale, canvases }: OverlayPlace,
): VideoOverlay | undefined => {
  const box = insertBox(shadow, spareShadow)
  const [first, unscaled] = box ? [createDrawing(document), createDrawing(document)] : []
  if (!box || !first || !unscaled) return undefined
  let shown = first
  insertCanvas(box, shown.canvas)
  /** Whether the shown canvas has the picture in its original size; otherwise the other one has. */
  let isUnscaled = true
  /** The placement that the shown canvas was last drawn with: a still picture is not drawn again. */
  let fitted = ''
  let isPlaced = false

  /** Lets the shown canvas fill only a part of its box, in pixels of the picture. */
  const placeIn = ({ left, top, width, height }: PicturePlacement) => {
    const area = { left, top, width, height }
    for (const [name, pixels] of Object.entries(area)) shown.canvas.style.setProperty(name, `${pixels / scale}px`)
    shown.canvas.style.setProperty('object-fit', 'fill')
  }
  const fillBox = () => {
    if (isPlaced) shown.canvas.style.cssText = `display:block;${CANVAS_STYLE}`
    isPlaced = false
  }

  /** The size in which the browser draws a box, in pixels of the picture. */
  const sizeOf = (style: CSSStyleDeclaration) =>
    [Number.parseFloat(style.width) * scale, Number.parseFloat(style.height) * scale] as const

  const source = () => (isUnscaled ? shown : unscaled)

  /** Switches to another canvas for drawing, if there are several. */
  const turn = (width: number, height: number) => {
    const next = canvases?.next(shown) ?? shown
    if (next !== shown) {
      next.canvas.style.cssText = `display:block;${CANVAS_STYLE}`
      shown.canvas.replaceWith(next.canvas)
      shown = next
      isPlaced = false
    }
    resize(shown.canvas, width, height)
  }
  /** Shows the picture in its original size; the browser scales it if necessary. */
  const showUnscaled = (width: number, height: number) => {
    fillBox()
    if (isUnscaled) return
    turn(width, height)
    copy(unscaled, shown, { left: 0, top: 0, width, height })
    isUnscaled = true
    fitted = ''
  }
  /** Shows the picture in the size of its box, or at its position if it does not fill the box. */
  const showScaled = (place: PicturePlacement, boxWidth: number, boxHeight: number) => {
    if (isUnscaled) {
      const { width, height } = shown.canvas
      resize(unscaled.canvas, width, height)
      copy(shown, unscaled, { left: 0, top: 0, width, height })
      isUnscaled = false
    }
    const key = JSON.stringify([boxWidth, boxHeight, place])
    if (key === fitted) return
    fitted = key
    const isWhole = covers(place, boxWidth, boxHeight)
    if (isWhole) turn(boxWidth, boxHeight)
    else turn(place.width, place.height)
    fillBox()
    if (!isWhole) placeIn(place)
    // The canvas has the picture in its place already.
    shown.canvas.style.setProperty('object-position', '0 0')
    isPlaced = true
    shown.context.imageSmoothingQuality = 'medium'
    copy(unscaled, shown, isWhole ? place : { ...place, left: 0, top: 0 })
  }

  return {
    isAttached: () => shown.canvas.parentNode === box && box.parentNode === shadow,
    picture: () => source().canvas,
    draw({ pixels, stride, width, height }) {
      if (isUnscaled) turn(width, height)
      else resize(unscaled.canvas, width, height)
      const image = new natives.ImageData(new Uint8ClampedArray(pixels), stride, height)
      Reflect.apply(natives.putImageData, source().context, [image, 0, 0, 0, 0, width, height])
      shown.canvas.style.setProperty('display', 'block')
      fitted = ''
    },
    fit() {
      const { width, height } = source().canvas
      const style = natives.getComputedStyle(box)
      const place = placementIn(style, { width, height }, scale)
      const [boxWidth, boxHeight] = sizeOf(style)
      if (!place || (boxWidth === width && boxHeight === height)) showUnscaled(width, height)
      else showScaled(place, boxWidth, boxHeight)
    },
    isFitting() {
      const { canvas } = shown
      if (canvas.style.display === 'none') return true
      const style = natives.getComputedStyle(canvas)
      const { currentCSSZoom: zoom = 1 } = canvas as { currentCSSZoom?: number }
      const [width, height] = sizeOf(style)
      return zoom === 1 && width === canvas.width && height === canvas.height && !isCropped(style)
    },
    hide() {
      shown.canvas.style.setProperty('display', 'none')
      canvases?.clear()
    },
  }
}
