/** Lengths in CSS pixels, as a style. */
export const px = (length: number): string => `${length}px`

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const

/** The lengths of a property at the four sides of a box, as `marginTop`. */
export const sidesOf = (style: CSSStyleDeclaration, property: string, ending = ''): readonly number[] =>
  SIDES.map((side) => Number.parseFloat(String(Reflect.get(style, `${property}${side}${ending}`))) || 0)

/** The same length at all sides of a box; undefined if it has several. */
const equalSide = (sides: readonly number[]): number | undefined =>
  sides.every((side) => side === sides[0]) ? sides[0] : undefined

/** Whether a style has a border or padding. */
export const isFramed = ({ borderWidth, padding }: CSSStyleDeclaration): boolean =>
  /[1-9]/.test(`${borderWidth} ${padding}`)

/** The frame around the content of a canvas, of border and padding. */
export interface ContentFrame {
  readonly border: number
  readonly padding: number
  readonly radius: number
}

/** The lengths of a shadow that is not there, which every canvas has in this lane. */
const NO_SHADOW = '0px 0px 0px 0px'

const shadowsOf = ({ boxShadow }: CSSStyleDeclaration): readonly string[] =>
  boxShadow === 'none' ? [] : boxShadow.split(/,(?![^(]*\))/).map((shadow) => shadow.trim())

const hasShadow = (style: CSSStyleDeclaration): boolean =>
  shadowsOf(style).some((shadow) => !shadow.includes(NO_SHADOW))

/** A computed shadow of a box that is wider by `edge` on each side. */
const widened = (shadow: string, edge: number): string =>
  shadow.replace(/(-?[\d.]+)px$/, (_, spread) => `${Number(spread) + edge}px`)

/** Whether something below the frame of a canvas shows through it. */
const isSeeThrough = ({ backgroundColor, borderTopColor }: CSSStyleDeclaration): boolean =>
  backgroundColor.startsWith('rgba') || borderTopColor.startsWith('rgba')

/** The frame of a canvas, or the reason why an outline and a shadow cannot stand for it. */
export const frameOf = (style: CSSStyleDeclaration): ContentFrame | string => {
  const [border, padding] = [sidesOf(style, 'border', 'Width'), sidesOf(style, 'padding')].map(equalSide)
  const corners = ['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft']
  const [radius, ...others] = corners.map((corner) => String(Reflect.get(style, `border${corner}Radius`)))
  const colours = new Set(SIDES.map((side) => Reflect.get(style, `border${side}Color`)))
  const styles = new Set(SIDES.map((side) => Reflect.get(style, `border${side}Style`)))
  if (border === undefined || padding === undefined) return 'a border or padding that is not equal on all sides'
  if (others.some((other) => other !== radius)) return 'corners of several kinds'
  if (border + padding === 0) return { border, padding, radius: Number.parseFloat(radius ?? '0') }
  if (!/^[\d.]+px$/.test(radius ?? '')) return 'elliptical corners'
  if (colours.size * styles.size > 1 || style.borderImageSource !== 'none') return 'a border of several kinds'
  const size = Number.parseFloat(radius ?? '0')
  if (size > 0 && size <= border + padding) return 'round corners that are narrower than its border and padding'
  if (border > 0 && (style.outlineStyle !== 'none' || !['solid', 'none'].includes(style.borderTopStyle)))
    return 'a border that an outline cannot show'
  if (padding > 0 && style.backgroundImage !== 'none') return 'a padding with a background image'
  if (style.boxShadow.includes('inset')) return 'an inset shadow'
  if (isSeeThrough(style) && hasShadow(style)) return 'a shadow under a frame that it shows through'
  return { border, padding, radius: size }
}

/** How much larger a canvas is shown than it is, in both directions. */
export interface CanvasStretch {
  readonly x: number
  readonly y: number
}

/** The lengths of a shadow in a box that is stretched equally. */
const unstretched = (shadow: string, stretch: number): string =>
  shadow.replaceAll(/(-?[\d.]+)px/g, (_, length) => px(Number(length) / stretch))

/** Whether a canvas is shown in another size than its own. */
export const isStretched = ({ x, y }: CanvasStretch): boolean => Math.abs(x - 1) > 1e-6 || Math.abs(y - 1) > 1e-6

/** The reason why the look of a stretched canvas cannot be described in its own size; undefined if it can. */
export const stretchReason = (
  style: CSSStyleDeclaration,
  { border, padding }: ContentFrame,
  { x, y }: CanvasStretch,
) => {
  const { backgroundImage, filter, clipPath, maskImage } = style
  if (`${backgroundImage}${filter}${clipPath}${maskImage}` !== 'none'.repeat(4))
    return 'a background image, filter, clip path or mask'
  if (style.outlineStyle !== 'none') return 'an outline'
  if (border > 0 && padding > 0 && isSeeThrough(style)) return 'a padding that its border would show through'
  const isEven = border + padding > 0 || hasShadow(style)
  return isEven && Math.abs(x / y - 1) > 1e-6 ? 'a border, padding or shadow' : undefined
}

/** Draws a frame around a box that has neither border nor padding and is stretched. */
export const framed = (
  { border, padding, radius }: ContentFrame,
  style: CSSStyleDeclaration,
  { x, y }: CanvasStretch,
) => {
  const edge = border + padding
  const inner = Math.max(radius - edge, 0)
  const isLarger = isStretched({ x, y })
  const ring = (colour: string, width: number) => `${colour} 0px 0px 0px ${width}px`
  const shadows = [
    ...(padding > 0 ? [ring(style.backgroundColor, padding)] : []),
    // The width of an outline is rounded before it is stretched.
    ...(border > 0 && isLarger ? [ring(style.borderTopColor, edge)] : []),
    ...shadowsOf(style).map((shadow) => widened(shadow, edge)),
  ]
  return {
    ...(!style.borderTopLeftRadius.includes('%') && { borderRadius: `${px(inner / x)} / ${px(inner / y)}` }),
    boxShadow: shadows.map((shadow) => unstretched(shadow, x)).join() || 'none',
    ...(border > 0 &&
      !isLarger && {
        outline: `${px(border)} ${style.borderTopStyle} ${style.borderTopColor}`,
        outlineOffset: px(padding),
      }),
    ...(border === 0 && { outlineOffset: px(Number.parseFloat(style.outlineOffset) + edge) }),
  }
}

/** Whether the box of a canvas shows anything besides its bitmap. */
export const hasLook = (style: CSSStyleDeclaration): boolean =>
  isFramed(style) ||
  hasShadow(style) ||
  style.outlineStyle !== 'none' ||
  /[1-9]/.test(style.borderRadius) ||
  !/^rgba\(.*, 0\)$/.test(style.backgroundColor)
