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

/** Writes variables where markup asks for them: `data-var-text`, `data-var-src` and the CSS property `--<id>`. */
export const createBinder = (variables: Readonly<Record<string, unknown>>) => {
  const values = new Map(scalars(variables))
  const bound = new WeakSet<Element>()
  const bind = (attribute: string, write: (element: Element, value: string) => void) => {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const value = values.get(element.getAttribute(attribute) ?? '')
      if (value === undefined || bound.has(element)) continue
      bound.add(element)
      write(element, value)
    }
  }
  return (root: HTMLElement | null): void => {
    for (const host of [document.documentElement, root]) {
      if (!host || bound.has(host)) continue
      bound.add(host)
      for (const [id, value] of values) host.style.setProperty(`--${id}`, value)
    }
    bind('data-var-text', (element, value) => {
      element.textContent = value
    })
    bind('data-var-src', (element, value) => element.setAttribute('src', value))
  }
}

/** Gives the variables of the composition around an element: an embedded one carries its own. */
export const createVariableLookup = (variables: Readonly<Record<string, unknown>>) => {
  const embedded = new Map<string, Readonly<Record<string, unknown>>>()
  return (element: Element): Readonly<Record<string, unknown>> => {
    const text = element.closest('[data-vid-variables]')?.getAttribute('data-vid-variables')
    if (!text) return variables
    const known = embedded.get(text) ?? (JSON.parse(text) as Record<string, unknown>)
    embedded.set(text, known)
    return known
  }
}
