/** The character that stands before the decimals of the numbers of a column. */
export type DecimalMark = '.' | ','

const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const DECIMAL_COMMA = /^[+-]?\d*,\d+(?:e[+-]?\d+)?$/i
/** Thousands that are set apart, by the character that does it. */
const GROUPS = {
  '.': /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/,
  ',': /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/,
  ' ': /^[+-]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/,
}

/** Spaces of any width and apostrophes set thousands apart in some countries. */
const oneSpace = (text: string) =>
  text
    .trim()
    .replace(/\u2212/g, '-')
    .replace(/[\s'\u2019]/g, ' ')

/** The decimal mark that a number can only have; undefined where it has none, or could have either. */
const markOf = (text: string): DecimalMark | undefined => {
  const plain = oneSpace(text)
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(plain)) return undefined
  if (PLAIN.test(plain)) return plain.includes('.') ? '.' : undefined
  if (DECIMAL_COMMA.test(plain)) return ','
  if (GROUPS[','].test(plain)) return '.'
  if (GROUPS['.'].test(plain)) return ','
  return GROUPS[' '].test(plain) ? ((/[.,]/.exec(plain)?.[0] as DecimalMark | undefined) ?? undefined) : undefined
}

/**
 * The decimal mark of a column: that of its cells which can only have one. Undefined where they contradict each other,
 * or where none decides and the table is separated by semicolons, as where commas are for decimals.
 */
export const findDecimalMark = (cells: readonly string[], delimiter: string): DecimalMark | undefined => {
  const marks = new Set(cells.map(markOf))
  if (marks.has(',') && marks.has('.')) return undefined
  if (marks.has(',')) return ','
  return marks.has('.') || delimiter !== ';' ? '.' : undefined
}

/** The number of a cell, or what is wrong with it. */
export const readCellNumber = (text: string, mark: DecimalMark | undefined): number | { readonly problem: string } => {
  const plain = oneSpace(text)
  const isEither = markOf(text) === undefined && /[.,]/.test(plain)
  const chosen = isEither ? mark : (markOf(text) ?? '.')
  const isNumber =
    PLAIN.test(plain) || DECIMAL_COMMA.test(plain) || Object.values(GROUPS).some((rule) => rule.test(plain))
  if (!isNumber) return { problem: `"${text}" is not a number` }
  if (chosen === undefined) {
    const whole = plain.replace(/[.,]/, '')
    const part = plain.replace(',', '.')
    return { problem: `"${text}" could be ${part} or ${whole}: write it without thousands marks` }
  }
  const value = Number(
    plain
      .replace(/ /g, '')
      .replaceAll(chosen === '.' ? ',' : '.', '')
      .replace(',', '.'),
  )
  return Number.isFinite(value) ? value : { problem: `"${text}" is not a finite number` }
}
