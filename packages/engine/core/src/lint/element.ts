import type { VidError } from '@vid/protocol'
import { attributeOf, type Element, lineOf } from '../source/tree.ts'
import type { LintScript } from './project/project-scripts.ts'
import type { Spot } from './rule.ts'

const quote = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

/** A selector for an element: its id, an identifying attribute, or its tag and first class. */
const selectorOf = (element: Element): string => {
  const id = attributeOf(element, 'id')
  if (id) return /^[a-z][\w-]*$/i.test(id) ? `#${id}` : `[id="${quote(id)}"]`
  for (const name of ['data-composition-id', 'data-composition-src', 'src']) {
    const value = attributeOf(element, name)
    if (value && value.length < 100 && !value.includes('?')) return `${element.tagName}[${name}="${quote(value)}"]`
  }
  const [first] = attributeOf(element, 'class')?.trim().split(/\s+/) ?? []
  return first && /^[a-z][\w-]*$/i.test(first) ? `${element.tagName}.${first}` : element.tagName
}

/** A finding about an element, located at an attribute if the attribute is written there. */
export const spotAt = (file: string, element: Element, message: string, attribute?: string): Spot => {
  const location = attribute === undefined ? undefined : element.sourceCodeLocation?.attrs?.[attribute]
  return { file, line: location?.startLine ?? lineOf(element), selector: selectorOf(element), message }
}

/** A finding at a line of a script. */
export const spotInScript = ({ file, line }: LintScript, lineInScript: number, message: string): Spot => ({
  file,
  line: line + lineInScript - 1,
  selector: null,
  message,
})

/** The error that `work` throws, or null. */
export const thrownBy = (work: () => unknown): VidError | null => {
  try {
    work()
    return null
  } catch (thrown) {
    return thrown as VidError
  }
}

/** Parses the text of an attribute as a JSON object; returns the reason when it is not one. */
export const parseJsonObject = (
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
