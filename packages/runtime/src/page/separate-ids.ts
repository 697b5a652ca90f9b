const URL_ID = /url\(\s*(["']?)#([^"')]+)\1\s*\)/g

/** Attributes that refer to an element: by address, and in the functions of a style. */
const isAddress = ({ localName }: Attr) => localName === 'href'

const refersTo = (host: Element): Set<string> => {
  const found = new Set<string>()
  for (const element of host.querySelectorAll('svg, svg *'))
    for (const attribute of element.attributes) {
      if (isAddress(attribute) && attribute.value.startsWith('#')) found.add(attribute.value.slice(1))
      for (const [, , id = ''] of attribute.value.matchAll(URL_ID)) found.add(id)
    }
  return found
}

const renameReferences = (host: Element, from: string, to: string) => {
  for (const element of host.querySelectorAll('svg, svg *'))
    for (const attribute of element.attributes)
      if (isAddress(attribute) && attribute.value === `#${from}`) attribute.value = `#${to}`
      else if (attribute.value.includes(`#${from}`))
        attribute.value = attribute.value.replace(URL_ID, (call, quote: string, id: string) =>
          id === from ? `url(${quote}#${to}${quote})` : call,
        )
}

/**
 * Gives SVG parts that scripts of several instances have made under one id each an id of its own, with what refers to
 * it: a reference finds the first in the page. Parts that are written in markup have theirs from the compiled text.
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
    const wanted = referred.get(host) ?? refersTo(host)
    referred.set(host, wanted)
    if (!wanted.has(id)) continue
    const name = `${id}-${host.getAttribute('data-vid-instance')}`
    element.setAttribute('data-vid-id', id)
    element.id = name
    renameReferences(host, id, name)
  }
}
