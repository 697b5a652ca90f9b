import { readNumber } from '../source/numbers.ts'

/** A `data-start`: seconds, or an offset in seconds from the end of a named element. */
export type StartExpression = { readonly seconds: number } | { readonly after: string; readonly offset: number }

const OFFSET = /^(.+?)(?:\s*(\+)|\s+(-))\s*(\d+\.?\d*|\.\d+)$/

/** Parses a `data-start`; a text that is a name as a whole is not split at a sign in it. */
export const parseStart = (text: string, isName: (name: string) => boolean): StartExpression => {
  const trimmed = text.trim()
  const seconds = readNumber(trimmed)
  if (seconds !== null) return { seconds: Math.max(0, seconds) }
  const [, name, plus, , amount] = OFFSET.exec(trimmed) ?? []
  if (name === undefined || isName(trimmed)) return { after: trimmed, offset: 0 }
  return { after: name, offset: plus === '+' ? Number(amount) : -Number(amount) }
}
