/** A value that a declaration takes from elsewhere. */
const FOREIGN = /\b(inherit|var|attr|env|if)\b|--/

/** Functions of `transform` that keep an element in its plane, with arguments that are plain. */
const FLAT_TRANSFORM =
  /^((matrix|translate|translate[XY]|scale|scale[XY]|rotate|rotateZ|skew|skew[XY])\([^()]*\)\s*|translate3d\([^(),]*,[^(),]*, 0(px)?\)\s*|translateZ\(0(px)?\)\s*)+$/

/** Values that take a property away; what they reveal is declared by another rule. */
const NONE = /^(|none|auto|initial|unset|revert|revert-layer|flat|visible|0px)$/

/**
 * The properties by which an element leaves the plane of the page, filters what is behind it, or takes over the background
 * of its parent, each with the values that certainly do not.
 */
const PROPERTIES: readonly (readonly [name: string, isHarmless: (value: string) => boolean])[] = [
  ['transform', (value) => FLAT_TRANSFORM.test(value)],
  ['rotate', (value) => !/[xy, ]/.test(value.replace(/^z | z$/, '')) && !value.includes('(')],
  ['translate', (value) => !value.includes('(') && value.split(' ').length < 3],
  ['transform-style', () => false],
  ['backface-visibility', () => false],
  ['backdrop-filter', () => false],
  ['background-clip', (value) => !value.includes('border-area')],
  ['all', () => true],
]

/** Whether declarations may give an element one of the properties that need it to be examined. */
export const needsExamination = (style: CSSStyleDeclaration): boolean =>
  PROPERTIES.some(([name, isHarmless]) => {
    const value = style.getPropertyValue(name)
    return !NONE.test(value) && (FOREIGN.test(value) || !isHarmless(value))
  })
