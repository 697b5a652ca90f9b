/** What percentages are of, and the pixels of the picture for each CSS pixel. */
interface Room {
  readonly room: number
  readonly scale: number
}

const OF_LISTS: readonly (readonly [kind: string, join: (values: readonly number[]) => number])[] = [
  ['CSSMathSum', (values) => values.reduce((sum, value) => sum + value, 0)],
  ['CSSMathProduct', (values) => values.reduce((product, value) => product * value, 1)],
  ['CSSMathMin', (values) => Math.min(...values)],
  ['CSSMathMax', (values) => Math.max(...values)],
]

/** A length in pixels of the picture; NaN for a function that the browser does not take apart. */
const resolve = (value: CSSNumericValue, place: Room): number => {
  if (value instanceof CSSUnitValue) {
    if (value.unit === 'percent') return (value.value / 100) * place.room
    return value.unit === 'px' ? value.value * place.scale : value.unit === 'number' ? value.value : Number.NaN
  }
  if (value instanceof CSSMathNegate) return -resolve(value.value, place)
  if (value instanceof CSSMathInvert) return 1 / resolve(value.value, place)
  if (value instanceof CSSMathClamp) {
    const [lower, middle, upper] = [value.lower, value.value, value.upper].map((part) =>
      resolve(part as CSSNumericValue, place),
    ) as [number, number, number]
    return Math.max(lower, Math.min(middle, upper))
  }
  const join = OF_LISTS.find(([kind]) => value.constructor.name === kind)?.[1]
  const { values } = value as CSSMathSum
  return join ? join([...values].map((part) => resolve(part, place))) : Number.NaN
}

/** The parts of a text between spaces that are in no parentheses. */
const partsOf = (text: string): readonly string[] => {
  let depth = 0
  const spaced = [...text].map((character) => {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    return character === ' ' && depth === 0 ? '\n' : character
  })
  return spaced.join('').split('\n')
}

/**
 * Where a computed `object-position` puts a picture that leaves `rooms` of its box, in pixels of the picture: negative for
 * a picture that is larger. Undefined for a value that the browser does not take apart.
 */
export const objectPosition = (
  value: string,
  rooms: readonly [x: number, y: number],
  scale: number,
): readonly [left: number, top: number] | undefined => {
  try {
    const [left = Number.NaN, top = Number.NaN] = partsOf(value).map((part, axis) =>
      resolve(CSSNumericValue.parse(part), { room: rooms[axis] ?? 0, scale }),
    )
    return Number.isFinite(left) && Number.isFinite(top) ? [left, top] : undefined
  } catch {
    return undefined
  }
}
