import { readNumber } from '../source/numbers.ts'

/** A `data-start`: seconds, or an offset in seconds from the end of a named element. */
export type StartExpression = { readonly seconds: number } | { readonly after: string; readonly offset: number }

const AMOUNT = /^(?:\d+(?:\.\d*)?|\.\d+)$/

/** Where the digits and points at the end of a text begin. */
const amountStart = (text: string): number => {
  let start = text.length
  while (start > 0 && /[\d.]/.test(text.charAt(start - 1))) start -= 1
  return start
}

/**
 * The name and the signed amount of a text such as `intro + 0.5`; undefined if it ends with no sign and number. A minus stands
 * apart from the name, which may contain it. Read from the end, since patterns for it take the square of the text's length.
 */
const splitOffset = (text: string): { readonly name: string; readonly offset: number } | undefined => {
  const start = amountStart(text)
  const amount = text.slice(start)
  const before = text.slice(0, start).trimEnd()
  const sign = before.at(-1)
  const rest = before.slice(0, -1)
  const name = rest.trimEnd()
  const isSigned = sign === '+' || (sign === '-' && name !== rest)
  if (!isSigned || name === '' || /[\n\r\u2028\u2029]/.test(name) || !AMOUNT.test(amount)) return undefined
  return { name, offset: sign === '+' ? Number(amount) : -Number(amount) }
}

/** Parses a `data-start`; a text that is a name as a whole is not split at a sign in it. */
export const parseStart = (text: string, isName: (name: string) => boolean): StartExpression => {
  const trimmed = text.trim()
  const seconds = readNumber(trimmed)
  if (seconds !== null) return { seconds: Math.max(0, seconds) }
  const split = isName(trimmed) ? undefined : splitOffset(trimmed)
  return { after: split?.name ?? trimmed, offset: split?.offset ?? 0 }
}
