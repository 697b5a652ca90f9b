import type { PixelArea } from '../images/bitmap.ts'
import { natives } from '../realm/natives.ts'

/** The styles that determine the look of a background; they keep their values while it is cached. */
export const BACKGROUND_STYLES = [
  'background-color',
  'background-image',
  'background-position',
  'background-size',
  'background-repeat',
  'background-origin',
  'background-blend-mode',
  'color',
  'padding',
] as const

/** A background that is drawn on whole pixels, without blending with the content below. */
export interface BackgroundPlace {
  /** In pixels of the picture. */
  readonly area: PixelArea
  /** CSS pixels. */
  readonly size: { readonly width: number; readonly height: number }
  /** The values of `BACKGROUND_STYLES`. */
  readonly styles: readonly string[]
  /** The same for the same background at the same place. */
  readonly key: string
}

/** The target of a background. */
export interface BackgroundView {
  /** The canvas at whose left top the picture begins. */
  readonly canvas: Element
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
  /** Pixels of the picture. */
  readonly width: number
  readonly height: number
}

/** Minimum share of the picture; smaller backgrounds are cheap. */
const MIN_SHARE = 1 / 8

/** Gradients only; no loaded or painted images. */
const isGradient = (image: string): boolean =>
  image.includes('gradient(') && !/url\(|image|cross-fade\(|paint\(|element\(|-webkit-/.test(image)

const isTranslated = (transform: string): boolean => /^(none|matrix\(1, 0, 0, 1, [^)]*\))$/.test(transform)

/** Whether an element is drawn normally: in place, unclipped, and without blending. */
const isPlain = (style: CSSStyleDeclaration): boolean =>
  style.opacity === '1' &&
  isTranslated(style.transform) &&
  `${style.rotate}${style.scale}${style.perspective}${style.filter}${style.clipPath}${style.maskImage}` ===
    'none'.repeat(6) &&
  style.mixBlendMode === 'normal' &&
  style.clip === 'auto' &&
  style.offsetPath === 'none' &&
  style.getPropertyValue('-webkit-box-reflect') === 'none' &&
  style.getPropertyValue('zoom') === '1' &&
  // Several styles clip the content at rounded corners, and edges are then rounded differently.
  /^[0px ]*$/.test(style.borderRadius)

/** Whether it is visible, and its box is one rectangle without a border. */
const isVisibleRectangle = (element: Element, style: CSSStyleDeclaration): boolean =>
  style.visibility === 'visible' &&
  /^[0px ]*$/.test(style.borderWidth) &&
  /^(scroll(, )?)+$/.test(style.backgroundAttachment) &&
  element.getClientRects().length === 1

const pixelArea = (element: Element, { canvas, scale, width, height }: BackgroundView) => {
  const box = element.getBoundingClientRect()
  const outer = canvas.getBoundingClientRect()
  const area = {
    x: (box.left - outer.left) * scale,
    y: (box.top - outer.top) * scale,
    width: box.width * scale,
    height: box.height * scale,
  }
  const isWhole = Object.values(area).every(Number.isInteger)
  const isInside = area.x >= 0 && area.y >= 0 && area.x + area.width <= width && area.y + area.height <= height
  const isLarge = area.width * area.height >= width * height * MIN_SHARE
  return isWhole && isInside && isLarge ? { area, size: { width: box.width, height: box.height } } : undefined
}

/** The place of an element's gradient that a picture can replace with equal pixels; undefined if there is none. */
export const placeOfBackground = (element: Element, view: BackgroundView): BackgroundPlace | undefined => {
  const style = natives.getComputedStyle(element)
  if (!isGradient(style.backgroundImage) || !isVisibleRectangle(element, style)) return undefined
  const place = pixelArea(element, view)
  if (!place) return undefined
  for (let ancestor: Element | null = element; ancestor && ancestor !== view.canvas; ancestor = ancestor.parentElement)
    if (!isPlain(ancestor === element ? style : natives.getComputedStyle(ancestor))) return undefined
  const styles = BACKGROUND_STYLES.map((name) => style.getPropertyValue(name))
  return { ...place, styles, key: [...Object.values(place.area), ...styles].join(' / ') }
}

/** Whether a gradient has rows or columns of one colour, which are cheap to draw with vector instructions. */
export const isUpright = (image: string): boolean =>
  image.lastIndexOf('gradient(') === image.indexOf('gradient(') &&
  /^linear-gradient\((to (top|bottom|left|right),|-?(0|90|180|270)deg,|(?!to |-?[\d.]+(deg|rad|turn|grad),))/.test(
    image,
  )
