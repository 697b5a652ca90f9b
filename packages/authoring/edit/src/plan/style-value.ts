/** What a value of one word is. */
type Sort = 'number' | 'length' | 'percentage' | 'time' | 'angle' | 'colour' | 'unknown unit'

const UNITS: readonly (readonly [sort: Sort, unit: RegExp])[] = [
  [
    'length',
    /^(?:px|pt|pc|cm|mm|q|in|r?em|r?ex|r?ch|r?cap|r?ic|r?lh|[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max))$/i,
  ],
  ['time', /^m?s$/i],
  ['angle', /^(?:deg|grad|rad|turn)$/i],
  ['percentage', /^%$/],
  ['number', /^$/],
]

/** Digits and letters of a longer value are none of a number with a unit. */
const MAX_NUMBER = 64

/** The sort of a value that is a number with a unit, or a colour by its digits; undefined for words and functions. */
const sortOf = (value: string): Sort | undefined => {
  if (/^#/.test(value)) return 'colour'
  if (value.length > MAX_NUMBER) return undefined
  const unit = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?([a-z%]*)$/i.exec(value)?.[1]
  if (unit === undefined) return undefined
  return UNITS.find(([, pattern]) => pattern.test(unit))?.[0] ?? 'unknown unit'
}

const LENGTHS =
  /^(?:(?:min-|max-)?(?:width|height|inline-size|block-size)|left|right|top|bottom|inset(?:-.*)?|(?:margin|padding)-.*|font-size|letter-spacing|word-spacing|text-indent|(?:row-|column-)?gap|(?:border|outline|column-rule)(?:-.*)?-width|border(?:-.*)?-radius|outline-offset|perspective)$/

/** What properties take of numbers and colours, and what that is in words. */
const FAMILIES: readonly (readonly [properties: RegExp, takes: readonly Sort[], needs: string])[] = [
  [/^(?:color|.*-color)$/, ['colour'], 'a colour such as #ff8800 or red'],
  [LENGTHS, ['length', 'percentage'], 'a length with a unit, such as 12px'],
  [
    /^(?:opacity|flood-opacity|stop-opacity|fill-opacity|stroke-opacity)$/,
    ['number', 'percentage'],
    'a number from 0 to 1',
  ],
  [
    /^(?:z-index|order|font-weight|flex-grow|flex-shrink|orphans|widows|column-count)$/,
    ['number'],
    'a number without a unit',
  ],
  [/^(?:animation|transition)-(?:duration|delay)$/, ['time'], 'a time such as 0.5s'],
]

const isColour = (value: string) => /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value)

/** Why browsers will ignore a value of a property, as far as one word of it shows that; undefined where it does not. */
export const valueProblem = (property: string, value: string): string | undefined => {
  const word = value
    .trim()
    .replace(/!important$/i, '')
    .trimEnd()
  const sort = sortOf(word)
  const family = FAMILIES.find(([properties]) => properties.test(property))
  if (sort === undefined || !family) return undefined
  const [, takes, needs] = family
  const isZero = sort === 'number' && Number(word) === 0 && takes.includes('length')
  const isTaken = isZero || (takes.includes(sort) && (sort !== 'colour' || isColour(word)))
  return isTaken ? undefined : `"${value}" is no value of ${property}, which browsers then ignore: give ${needs}.`
}
