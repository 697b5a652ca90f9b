import { objectPosition } from './object-position.ts'

/** The rectangle of a picture in a box, in pixels of the page's picture. */
export interface PicturePlacement {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The horizontal and vertical scale of a picture in a box, by its `object-fit`; `none` is that of its own size. */
const scaleOf = (
  fit: string,
  { x, y, none }: { readonly x: number; readonly y: number; readonly none: number },
): readonly [number, number] => {
  if (fit === 'fill') return [x, y]
  if (fit === 'none') return [none, none]
  const contain = Math.min(x, y)
  const scale = fit === 'cover' ? Math.max(x, y) : fit === 'contain' ? contain : Math.min(none, contain)
  return [scale, scale]
}

/** Whether a style shows only a part of the picture. */
export const isCropped = (style: CSSStyleDeclaration): boolean =>
  (style.getPropertyValue('object-view-box') || 'none') !== 'none'

/** The whole pixels that a browser shows a picture in. */
const snap = ({ left, top, width, height }: PicturePlacement): PicturePlacement => {
  const x = Math.round(left)
  const y = Math.round(top)
  return { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y }
}

/** Whether a picture fills its box completely. */
export const covers = ({ left, top, width, height }: PicturePlacement, boxWidth: number, boxHeight: number): boolean =>
  left <= 0 && top <= 0 && left + width >= boxWidth - 1e-6 && top + height >= boxHeight - 1e-6

/**
 * The position of a picture in a box of whole pixels; it is on whole pixels too if it does not fill the box.
 * Undefined if the box is not on whole pixels, or has a position that only the browser can compute.
 */
export const placementIn = (
  style: CSSStyleDeclaration,
  picture: { readonly width: number; readonly height: number },
  scale = 1,
): PicturePlacement | undefined => {
  const boxWidth = Number.parseFloat(style.width) * scale
  const boxHeight = Number.parseFloat(style.height) * scale
  if (!Number.isInteger(boxWidth) || !Number.isInteger(boxHeight) || boxWidth < 1 || boxHeight < 1) return undefined
  if (isCropped(style)) return undefined
  const fit = { x: boxWidth / picture.width, y: boxHeight / picture.height, none: scale }
  const [scaleX, scaleY] = scaleOf(style.objectFit, fit)
  const width = picture.width * scaleX
  const height = picture.height * scaleY
  const position = objectPosition(style.objectPosition, [boxWidth - width, boxHeight - height], scale)
  if (!position) return undefined
  const [left, top] = position
  const place = { left, top, width, height }
  return covers(place, boxWidth, boxHeight) ? place : snap(place)
}
