/** Reads each character once, however long a text of strangers is. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Parses a decimal number of an attribute; null for anything else, also for a number that is not finite. */
export const readNumber = (text: string | null): number | null => {
  const trimmed = text?.trim() ?? ''
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isFinite(value) ? value : null
}
