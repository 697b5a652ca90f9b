const URL_ID = /url\(\s*(["']?)#([^"'()\s]+)\1\s*\)/g

const isAddress = ({ localName }: Attr) => localName === 'href'

const refersTo = (host: Element): Set<string> => {
  const ids = new Set<string>()
  for (const element of host.querySelectorAll('svg, svg *'))
    for (const attribute of element.attributes) {
      if (isAddress(attribute) && attribute.value.startsWith('#')) ids.add(attribute.value.slice(1))
      for (const [, , id = ''] of attribute.value.matchAll(URL_ID)) ids.add(id)
    }
  return ids
}

const renameCalls = (text: string, from: string, to: string) =>
  text.replace(URL_ID, (call, quote: string, id: string) => (id === from ? `url(${quote}#${to}${quote})` : call))

const renameReferences = (host: Element, from: string, to: string) => {
  for (const element of host.querySelectorAll('svg, svg *'))
    for (const attribute of element.attributes)
      if (isAddress(attribute) && attribute.value === `#${from}`) attribute.value = `#${to}`
      else if (attribute.value.includes(`#${from}`)) attribute.value = renameCalls(attribute.value, from, to)
}

const rulesOf = (rules: CSSRuleList): CSSStyleRule[] =>
  [...rules].flatMap((rule) => [
    ...(rule instanceof CSSStyleRule ? [rule] : []),
    ...('cssRules' in rule ? rulesOf(rule.cssRules as CSSRuleList) : []),
  ])

/** Makes the instance's styles match and reference an element by its new id. */
const renameStyles = (document: Document, box: string, from: string, to: string) => {
  const selector = `#${CSS.escape(from)}`
  const pattern = new RegExp(`${selector.replaceAll(/[^\w#-]/g, '\\$&')}(?![\\w-])`, 'g')
  const inline = [...document.styleSheets].filter(({ href }) => href === null)
  for (const rule of inline.flatMap(({ cssRules }) => rulesOf(cssRules))) {
    if (!rule.selectorText.includes(box)) continue
    rule.selectorText = rule.selectorText.replace(pattern, () => `:is(${selector},[data-vid-id="${CSS.escape(from)}"])`)
    if (rule.style.cssText.includes(`#${from}`)) rule.style.cssText = renameCalls(rule.style.cssText, from, to)
  }
}

/**
 * Gives different ids to SVG elements that scripts of several instances have created with the same id, and updates the
 * references to them, which would find the first in the page. The compiler does this for elements in markup.
 */
export const separateIds = (document: Document): void => {
  if (!document.querySelector('[data-vid-instance]')) return
  const owners = new Map<string, Element | null>()
  const referred = new WeakMap<Element, Set<string>>()
  for (const element of document.querySelectorAll('[id]')) {
    const { id } = element
    const host = element.closest('[data-vid-instance]')
    const owner = owners.get(id)
    if (owner === undefined) owners.set(id, host)
    if (owner === undefined || owner === host || !host || !element.matches('svg *')) continue
    const ids = referred.get(host) ?? refersTo(host)
    referred.set(host, ids)
    if (!ids.has(id)) continue
    const instance = host.getAttribute('data-vid-instance')
    const name = `${id}-${instance}`
    element.setAttribute('data-vid-id', id)
    element.id = name
    renameReferences(host, id, name)
    renameStyles(document, `[data-vid-instance="${instance}"]`, id, name)
  }
}
