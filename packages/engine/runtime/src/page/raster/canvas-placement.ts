import { transformOf } from '../depth/transforms.ts'
import { nameOf } from '../document/element-name.ts'
import { type PicturePlacement, placementIn } from '../media/picture-placement.ts'
import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives } from '../realm/natives.ts'
import {
  type CanvasStretch,
  type ContentFrame,
  framed,
  frameOf,
  hasLook,
  isFramed,
  isStretched,
  px,
  sidesOf,
  stretchReason,
} from './canvas-frame.ts'
import { isUnderPositioned } from './painted-later.ts'

/** Places canvases whose bitmap is not shown in its own size at the edge of its box, for the time of one picture. */
export interface CanvasPlacement {
  /** Brings these canvases into a form that is drawn as they are shown; returns the reason if that is impossible. */
  apply(canvases: Iterable<HTMLCanvasElement>): string | undefined
  /** Restores their styles. */
  clear(): void
}

/** The size of the box in which an element shows its picture. */
const contentOf = (style: CSSStyleDeclaration) => {
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)]
  if (style.boxSizing !== 'border-box') return { width, height }
  const borders = sidesOf(style, 'border', 'Width')
  const edges = sidesOf(style, 'padding').map((padding, index) => padding + (borders[index] ?? 0))
  const [top = 0, right = 0, bottom = 0, left = 0] = edges
  return { width: width - left - right, height: height - top - bottom }
}

const isScaled = (canvas: HTMLCanvasElement, style: CSSStyleDeclaration, scale: number): boolean => {
  const { width, height } = contentOf(style)
  return width * scale !== canvas.width || height * scale !== canvas.height
}

/** Whether a canvas is drawn elsewhere, or in another size, than it is shown. */
export const isMisplaced = (canvas: HTMLCanvasElement, style: CSSStyleDeclaration, scale: number): boolean =>
  isFramed(style) || isScaled(canvas, style, scale)

/** Whether the picture has a canvas elsewhere than its page places it, and the page transforms it too. */
export const isMisplacedAndMoved = (canvas: HTMLCanvasElement, scale: number): boolean => {
  const style = natives.getComputedStyle(canvas)
  return isMisplaced(canvas, style, scale) && !transformOf(style, canvas).isIdentity
}

/** The whole pixels between two edges, as a browser shows a box that is not transformed. */
const snapped = (from: number, size: number): number => Math.round(from + size) - Math.round(from)

const matrixAround = (element: HTMLElement, style: CSSStyleDeclaration): DOMMatrix => {
  const [x = 0, y = 0, z = 0] = style.transformOrigin.split(' ').map(Number.parseFloat)
  return new DOMMatrix().translate(x, y, z).multiply(transformOf(style, element)).translate(-x, -y, -z)
}

/** The place of a bitmap in a box that it does not just fill, in CSS pixels. */
const fitted = (canvas: HTMLCanvasElement, style: CSSStyleDeclaration, scale: number): PicturePlacement | undefined => {
  const isFilled = style.objectFit === 'fill' && !style.objectPosition.includes('px')
  const place = isFilled ? undefined : placementIn(style, canvas, scale)
  return (
    place && {
      left: place.left / scale,
      top: place.top / scale,
      width: place.width / scale,
      height: place.height / scale,
    }
  )
}

/** Clips what lies outside of the box, in the lengths of a canvas that is stretched. */
const cropped = (
  { left, top, width, height }: PicturePlacement,
  content: Pick<PicturePlacement, 'width' | 'height'>,
  stretch: CanvasStretch,
) => {
  const [right, bottom] = [left + width - content.width, top + height - content.height]
  const sides = [-top / stretch.y, right / stretch.x, bottom / stretch.y, -left / stretch.x]
  return (
    sides.some((side) => side > 0) && { clipPath: `inset(${sides.map((side) => px(Math.max(side, 0))).join(' ')})` }
  )
}

/** Styles with which a canvas has its own size and is stretched into the box in which it is shown, or why there are none. */
const placedStyles = (canvas: HTMLCanvasElement, frame: ContentFrame, scale: number) => {
  const style = natives.getComputedStyle(canvas)
  const content = contentOf(style)
  const edge = frame.border + frame.padding
  const bitmap = { width: canvas.width / scale, height: canvas.height / scale }
  const matrix = matrixAround(canvas, style)
  const box = canvas.getBoundingClientRect()
  const fit = fitted(canvas, style, scale)
  const shown = fit ?? {
    left: edge,
    top: edge,
    width: matrix.isIdentity ? snapped((box.left + edge) * scale, content.width * scale) / scale : content.width,
    height: matrix.isIdentity ? snapped((box.top + edge) * scale, content.height * scale) / scale : content.height,
  }
  const stretch = { x: shown.width / bitmap.width, y: shown.height / bitmap.height }
  const reason = isStretched(stretch) ? stretchReason(style, frame, stretch) : undefined
  if (reason !== undefined) return reason
  const placed = matrix.translate(shown.left, shown.top).scale(stretch.x, stretch.y)
  const [top = 0, right = 0, bottom = 0, left = 0] = sidesOf(style, 'margin')
  return {
    ...framed(frame, style, stretch),
    boxSizing: 'content-box',
    borderWidth: '0px',
    padding: '0px',
    width: px(bitmap.width),
    height: px(bitmap.height),
    minWidth: '0px',
    minHeight: '0px',
    maxWidth: 'none',
    maxHeight: 'none',
    aspectRatio: 'auto',
    objectFit: 'fill',
    objectPosition: '0px 0px',
    ...(fit && cropped(fit, content, stretch)),
    flex: 'none',
    marginTop: px(top),
    marginRight: px(right + content.width + 2 * edge - bitmap.width),
    marginBottom: px(bottom + content.height + 2 * edge - bitmap.height),
    marginLeft: px(left),
    transformOrigin: '0px 0px',
    translate: 'none',
    rotate: 'none',
    scale: 'none',
    transform: placed.toString(),
  }
}

/** The places of the elements around a canvas, which must not move. */
const surroundings = (canvas: HTMLElement): readonly number[] =>
  [canvas.parentElement, ...(canvas.parentElement?.children ?? [])]
    .filter((element) => element && element !== canvas)
    .flatMap((element) => {
      const { left, top, width, height } = (element as Element).getBoundingClientRect()
      return [left, top, width, height]
    })

/** Differences below this many CSS pixels come from rounding. */
const EPSILON = 0.02

const areClose = (ones: readonly number[], others: readonly number[]): boolean =>
  ones.length === others.length && ones.every((one, index) => Math.abs(one - (others[index] ?? 0)) < EPSILON)

/** How far surroundings have moved up, at most: margins may collapse otherwise than before. */
const shiftOf = (before: readonly number[], after: readonly number[]): number =>
  before
    .map((place, index) => (index % 2 === 1 ? place - (after[index] ?? 0) : 0))
    .reduce((most, shift) => (Math.abs(shift) > Math.abs(most) ? shift : most), 0)

/** The reason why a canvas cannot be placed. */
const placementReason = (canvas: HTMLCanvasElement, style: CSSStyleDeclaration): string | undefined => {
  if (style.offsetPath !== 'none') return 'on a path'
  if (style.objectFit !== 'fill' && hasLook(style)) return `with object-fit ${style.objectFit} and a look of its box`
  if (style.imageRendering !== 'auto') return `with image-rendering ${style.imageRendering}`
  if (canvas.width === 0 || canvas.height === 0) return 'without pixels'
  const isInFlow = style.position === 'static' && transformOf(style, canvas).isIdentity
  return isInFlow && isUnderPositioned(canvas) ? 'over positioned content that comes before it' : undefined
}

/** Creates the placement for a page, of which each CSS pixel has `scale` pixels of the picture. */
export const createCanvasPlacement = (scale: number): CanvasPlacement => {
  const overrides: StyleOverride[] = []
  const place = (canvas: HTMLCanvasElement): string | undefined => {
    const style = natives.getComputedStyle(canvas)
    const frame = frameOf(style)
    const refuse = (reason: string) => `${nameOf(canvas)} in another size than its own, or framed, ${reason}`
    if (typeof frame === 'string') return refuse(`with ${frame}`)
    const reason = placementReason(canvas, style)
    if (reason !== undefined) return refuse(reason)
    const before = surroundings(canvas)
    const styles = placedStyles(canvas, frame, scale)
    if (typeof styles === 'string') return refuse(`with ${styles}`)
    const override = createStyleOverride(canvas)
    overrides.push(override)
    override.set(styles)
    const after = surroundings(canvas)
    if (areClose(after, before)) return undefined
    override.set({ ...styles, marginBottom: px(Number.parseFloat(styles.marginBottom) + shiftOf(before, after)) })
    return areClose(surroundings(canvas), before) ? undefined : refuse('by which other elements are placed')
  }
  return {
    apply(canvases) {
      for (const canvas of canvases) {
        if (!isMisplaced(canvas, natives.getComputedStyle(canvas), scale)) continue
        const reason = place(canvas)
        if (reason !== undefined) return reason
      }
      return undefined
    },
    clear() {
      for (const override of overrides.splice(0)) override.cancel()
    },
  }
}
