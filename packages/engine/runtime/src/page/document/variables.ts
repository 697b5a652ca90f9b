import { closestOf, ownerOf } from './flat-tree.ts'

/** The scalar values of a composition, as text. */
const scalars = (variables: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(variables)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([id, value]) => [id, String(value)])

const freeze = <T>(value: T): T => {
  if (value instanceof Object) for (const inner of Object.values(Object.freeze(value))) freeze(inner)
  return value
}

/** A deep, frozen copy of the values that scripts read. */
export const freezeVariables = (variables: Record<string, unknown>): Readonly<Record<string, unknown>> =>
  freeze(structuredClone(variables))

const NESTED = '[data-vid-variables]'

/** The values of the nested composition that an element carries. */
export const nestedVariables = (composition: Element): Readonly<Record<string, unknown>> =>
  freeze(JSON.parse(composition.getAttribute('data-vid-variables') ?? '{}') as Record<string, unknown>)

/** The values for a script in the document's text: those of the nested composition that contains it. */
export const variablesHere = (
  { currentScript }: Document,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const nested = currentScript?.closest(NESTED)
  return nested ? nestedVariables(nested) : variables
}

/** Whether a custom property can have a value. */
const isValue = (value: string): boolean => CSS.supports('--x', value)

/** Whether a value is complete: an open bracket, string or comment would include the semicolon after it. */
const endsByItself = (value: string): boolean => !isValue(`${value};`)

/**
 * Sets custom properties of an element, overriding its own. They are written as one text, since a property that is set
 * alone is compared with all properties of the element.
 */
const writeProperties = ({ style }: HTMLElement, properties: ReadonlyMap<string, string>): void => {
  const closed: string[] = []
  const open: [name: string, value: string][] = []
  for (const [id, value] of properties) {
    const name = `--${id}`
    if (!isValue(value)) style.setProperty(name, value)
    else if (!endsByItself(value)) open.push([name, value])
    else {
      style.removeProperty(name)
      closed.push(`${CSS.escape(name)}:${value};`)
    }
  }
  if (closed.length > 0) style.cssText = closed.join('') + style.cssText
  for (const [name, value] of open) style.setProperty(name, value)
}

/**
 * Whether the parser may still add to an element: it pauses anywhere, also between a tag and the text after it. Whatever it
 * has left has a node behind it, or is in such an element.
 */
const isUnfinished = (element: Element): boolean => {
  if (element.ownerDocument.readyState !== 'loading') return false
  for (let each: Element | null = element; each; each = ownerOf(each)) if (each.nextSibling) return false
  return true
}

/**
 * Creates the function that writes variables where markup refers to them: `data-var-text`, `data-var-src` and the CSS
 * property `--<id>`.
 */
export const createBinder = (variables: Readonly<Record<string, unknown>>, find: (selector: string) => Element[]) => {
  const values = new Map(scalars(variables))
  const nested = new WeakMap<Element, Map<string, string>>()
  const bound = new WeakSet<Element>()
  const valuesOf = (composition: Element): Map<string, string> => {
    const values = nested.get(composition) ?? new Map(scalars(nestedVariables(composition)))
    nested.set(composition, values)
    return values
  }
  const bind = (
    attribute: string,
    write: (element: Element, value: string) => void,
    isTooEarly?: (element: Element) => boolean,
  ) => {
    for (const element of find(`[${attribute}]`)) {
      if (bound.has(element)) continue
      const composition = closestOf(element, NESTED)
      const value = (composition ? valuesOf(composition) : values).get(element.getAttribute(attribute) ?? '')
      if (value === undefined || isTooEarly?.(element)) continue
      bound.add(element)
      write(element, value)
    }
  }
  const style = (element: HTMLElement | null, properties: Map<string, string>) => {
    if (!element || bound.has(element)) return
    bound.add(element)
    writeProperties(element, properties)
  }
  return (root: HTMLElement | null): void => {
    style(document.documentElement, values)
    style(root, values)
    for (const host of find(NESTED)) style(host as HTMLElement, valuesOf(host))
    bind(
      'data-var-text',
      (element, value) => {
        element.textContent = value
      },
      isUnfinished,
    )
    bind('data-var-src', (element, value) => element.setAttribute('src', value))
  }
}

/** Creates the lookup of the variables for an element: an embedded composition has its own. */
export const createVariableLookup = (variables: Readonly<Record<string, unknown>>) => {
  const embedded = new WeakMap<Element, Readonly<Record<string, unknown>>>()
  return (element: Element): Readonly<Record<string, unknown>> => {
    const composition = closestOf(element, NESTED)
    if (!composition) return variables
    const values = embedded.get(composition) ?? nestedVariables(composition)
    embedded.set(composition, values)
    return values
  }
}
