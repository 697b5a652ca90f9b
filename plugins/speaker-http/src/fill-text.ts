import { fillPlaceholders } from '@vid/speech/service'

/** A copy of JSON whose texts have their placeholders, such as `{text}`, filled in. */
export const fillText = (value: unknown, words: Readonly<Record<string, string>>): unknown => {
  if (typeof value === 'string') return fillPlaceholders(value, words)
  if (Array.isArray(value)) return value.map((item) => fillText(item, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillText(item, words)]))
}
