/** A property that the inspector shows. */
export interface StyleField {
  readonly property: string
  readonly label: string
  readonly kind: 'length' | 'number' | 'colour' | 'text'
}

const lengths = (...names: readonly (readonly [property: string, label: string])[]): readonly StyleField[] =>
  names.map(([property, label]) => ({ property, label, kind: 'length' }))

/** Properties by the part of the inspector that they stand in. */
export const STYLE_FIELDS: Readonly<Record<'Place and size' | 'Colour' | 'Type', readonly StyleField[]>> = {
  'Place and size': lengths(
    ['left', 'Left'],
    ['top', 'Top'],
    ['right', 'Right'],
    ['bottom', 'Bottom'],
    ['width', 'Width'],
    ['height', 'Height'],
  ),
  Colour: [
    { property: 'color', label: 'Text', kind: 'colour' },
    { property: 'background-color', label: 'Fill', kind: 'colour' },
    { property: 'opacity', label: 'Opacity', kind: 'number' },
  ],
  Type: [
    { property: 'font-family', label: 'Family', kind: 'text' },
    { property: 'font-size', label: 'Size', kind: 'length' },
    { property: 'font-weight', label: 'Weight', kind: 'number' },
    { property: 'line-height', label: 'Line height', kind: 'number' },
    { property: 'letter-spacing', label: 'Spacing', kind: 'length' },
    { property: 'text-align', label: 'Align', kind: 'text' },
  ],
}

/** A value as it is written: a length without a unit is in pixels. */
export const styleValue = ({ kind }: StyleField, text: string): string | null => {
  const value = text.trim()
  if (value === '') return null
  return kind === 'length' && /^-?(?:\d+\.?\d*|\.\d+)$/.test(value) && Number(value) !== 0 ? `${value}px` : value
}

/** A style as the sources state it. */
interface Stated {
  readonly property: string
  readonly from: string
}

/** What else states a property. */
const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  left: ['inset'],
  top: ['inset'],
  right: ['inset'],
  bottom: ['inset'],
  'background-color': ['background'],
  'font-family': ['font'],
  'font-size': ['font'],
  'font-weight': ['font'],
  'line-height': ['font'],
}

/** The sides of `inset`, in the order of its values. */
const SIDES = ['top', 'right', 'bottom', 'left']

/** Values of a list; those of functions stay whole. */
const valuesIn = (text: string) => text.trim().match(/[^\s()]*\([^)]*\)|[^\s()]+/g) ?? []

/** The value of a property where a style states it, also as one side of `inset`. */
export const statedValue = ({ property, value }: Stated & { readonly value: string }, name: string): string => {
  if (property !== 'inset') return value
  const values = valuesIn(value)
  const [top = value, right = top, bottom = top, left = right] = values
  return [top, right, bottom, left][SIDES.indexOf(name)] ?? value
}

/** The style that states a property: the inline one, else that of the last rule; undefined for none. */
export const statedStyle = <S extends Stated>(styles: readonly S[], property: string): S | undefined => {
  const names = [property, ...(SHORTHANDS[property] ?? [])]
  const stated = styles.filter((style) => names.includes(style.property))
  return stated.findLast(({ from }) => from === 'inline') ?? stated.at(-1)
}
