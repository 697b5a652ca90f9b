import type { VidError } from '@vid/kernel'
import { attributeOf, type Element, lineOf } from '../source/tree.ts'
import type { Spot } from './rule.ts'

const quote = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

/** A selector that finds an element: its id, what it embeds or names, else its tag and first class. */
export const selectorOf = (element: Element): string => {
  const id = attributeOf(element, 'id')
  if (id) return /^[a-z][\w-]*$/i.test(id) ? `#${id}` : `[id="${quote(id)}"]`
  for (const name of ['data-composition-id', 'data-composition-src', 'src']) {
    const value = attributeOf(element, name)
    if (value && value.length < 100) return `${element.tagName}[${name}="${quote(value)}"]`
  }
  const [first] = attributeOf(element, 'class')?.trim().split(/\s+/) ?? []
  return first && /^[a-z][\w-]*$/i.test(first) ? `${element.tagName}.${first}` : element.tagName
}

/** A finding about an element, at the line of an attribute where it is written. */
export const spotAt = (file: string, element: Element, message: string, attribute?: string): Spot => {
  const written = attribute === undefined ? undefined : element.sourceCodeLocation?.attrs?.[attribute]
  return { file, line: written?.startLine ?? lineOf(element), selector: selectorOf(element), message }
}

/** What work fails with, or null. */
export const failureOf = (work: () => unknown): VidError | null => {
  try {
    work()
    return null
  } catch (thrown) {
    return thrown as VidError
  }
}

/** The text of an attribute as a JSON object; the reason when it is none. */
export const readObject = (
  json: string,
): { readonly value: Record<string, unknown> } | { readonly reason: string } => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : { reason: 'it is not a JSON object' }
  } catch (thrown) {
    return { reason: `it is not JSON: ${(thrown as SyntaxError).message}` }
  }
}
