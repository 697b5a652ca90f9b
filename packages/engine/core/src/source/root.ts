import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { embedsFile, holdsClips, isPage, namesComposition } from './element-kinds.ts'
import { attributeOf, descendants, type Element } from './tree.ts'

const SIDES = ['data-width', 'data-height']

const hasSide = (element: Element): boolean => SIDES.some((side) => attributeOf(element, side) !== null)
const hasSize = (element: Element): boolean => SIDES.every((side) => attributeOf(element, side) !== null)

/** Those of some elements, in document order, that stand in no other of them. */
const outermost = (elements: readonly Element[]): Element[] => {
  const inside = new Set<Element>()
  return elements.filter((element) => {
    if (inside.has(element)) return false
    for (const descendant of descendants(element)) inside.add(descendant)
    return true
  })
}

/** The only one of a list; undefined when there are none or several. */
const onlyOne = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

/** The element that `<html>` or `<body>` names without saying how large it is: itself, where nothing inside is meant. */
const rootInside = (page: Element, named: readonly Element[]): Element => {
  const inside = outermost(named.filter((element) => !isPage(element) || hasSide(element)))
  const sized = () => outermost([...descendants(page)].filter((element) => holdsClips(element) && hasSize(element)))
  return onlyOne(inside) ?? onlyOne(inside.filter(hasSide)) ?? (inside[0] ? page : onlyOne(sized())) ?? page
}

/**
 * Finds the root of a composition in a document or in the content of a template; null when there is none. What a browser
 * draws as one picture is the root only where nothing else is named.
 */
export const findRoot = (tree: Tree.ParentNode): Element | null => {
  const named: Element[] = []
  for (const element of descendants(tree)) {
    if (attributeOf(element, 'data-root') === 'true') return element
    if (namesComposition(element)) named.push(element)
  }
  const holders = named.filter(holdsClips)
  const first = holders.find((element) => !embedsFile(element))
  if (first && isPage(first) && !hasSide(first)) return rootInside(first, holders)
  return first ?? holders[0] ?? named[0] ?? null
}

/** The element that a page takes for the root unless another is marked with `data-root`. */
export const findFirstNamed = (tree: Tree.ParentNode): Element | undefined => {
  for (const element of descendants(tree)) if (namesComposition(element)) return element
  return undefined
}
