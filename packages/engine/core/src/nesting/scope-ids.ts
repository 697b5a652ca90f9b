import { html } from 'parse5'
import type { Rule } from 'postcss'
import { attributeOf, descendants, type Element } from '../source/tree.ts'
import { setAttribute } from './nested-file.ts'

/** Ids that the page already uses: authored id → id in this instance. */
export type IdNames = ReadonlyMap<string, string>

/** Attribute with the authored id of a renamed element; selectors and scripts of its instance find it by this. */
const AUTHORED = 'data-vid-id'

const URL_ID = /url\(\s*(["']?)#([^"'()\s]+)\1\s*\)/g

/** Renames the ids that `url(#id)` refers to. */
export const renameIds = (value: string, ids: IdNames): string =>
  ids.size === 0
    ? value
    : value.replace(URL_ID, (call, quote: string, id: string) => {
        const name = ids.get(id)
        return name === undefined ? call : `url(${quote}#${name}${quote})`
      })

/** Makes id selectors also match renamed elements, with the same specificity. */
export const widenIds = (rule: Rule, ids: IdNames): void => {
  for (const id of ids.keys()) {
    const selector = `#${id.replaceAll(/[^\w-]/g, '\\$&')}`
    const pattern = new RegExp(`${selector.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-])`, 'g')
    rule.selector = rule.selector.replace(pattern, () => `:is(${selector},[${AUTHORED}="${id}"])`)
  }
}

const isReference = (name: string) => name === 'href' || name === 'xlink:href'
const nameOf = ({ prefix, name }: Element['attrs'][number]) => (prefix ? `${prefix}:${name}` : name)

const referredIds = (elements: readonly Element[], css: readonly string[]): Set<string> => {
  const texts = [...css]
  const ids = new Set<string>()
  for (const element of elements)
    for (const attribute of element.attrs) {
      texts.push(attribute.value)
      if (isReference(nameOf(attribute)) && attribute.value.startsWith('#')) ids.add(attribute.value.slice(1))
    }
  for (const text of texts) for (const [, , id = ''] of text.matchAll(URL_ID)) ids.add(id)
  return ids
}

/** Whether an element is the root of the file that a host embeds. */
const isRootOf = (host: Element, element: Element): boolean =>
  element.parentNode === host && attributeOf(element, 'data-composition-id') !== null

/**
 * Renames ids that the page already uses: those of SVG elements that are referenced within their instance, since a reference
 * would find the first element of that id in the page, and that of the instance's root, since the rules of the page for its
 * own root would apply to it. Adds the ids of the instance to `usedIds`.
 */
export const scopeIds = (host: Element, instance: string, usedIds: Set<string>, css: readonly string[]): IdNames => {
  const elements = [...descendants(host)]
  const referred = referredIds(elements, css)
  const ids = new Map<string, string>()
  for (const element of elements) {
    const id = attributeOf(element, 'id')
    if (!id) continue
    const isReferred = referred.has(id) && element.namespaceURI === html.NS.SVG
    if (usedIds.has(id) && (isReferred || isRootOf(host, element))) {
      ids.set(id, `${id}-${instance}`)
      setAttribute(element, 'id', `${id}-${instance}`)
      setAttribute(element, AUTHORED, id)
    }
  }
  for (const element of elements) {
    const id = attributeOf(element, 'id')
    if (id) usedIds.add(id)
    for (const attribute of element.attrs) {
      if (isReference(nameOf(attribute)) && attribute.value.startsWith('#')) {
        const name = ids.get(attribute.value.slice(1))
        if (name !== undefined && element.namespaceURI === html.NS.SVG) attribute.value = `#${name}`
      } else attribute.value = renameIds(attribute.value, ids)
    }
  }
  return ids
}
