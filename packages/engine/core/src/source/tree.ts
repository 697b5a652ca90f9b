import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterTypes as Tree,
  type TreeAdapter,
} from 'parse5'
import { fail } from '../errors.ts'
import { VID_ATTRIBUTES } from './vid-attributes.ts'

/** An element of a parsed source text. */
export type Element = Tree.Element

/**
 * How deep elements may be nested. Browsers flatten what is deeper than 512, and both the parser's own searches and all that
 * walks the tree take time and stack for each level.
 */
const MAX_DEPTH = 1000

/** Fails with VID_HTML_ATTRIBUTE_LONG at an attribute of vid that is longer than it may be. */
const checkLengths = ({ tagName, attrs }: Element, line: number): void => {
  for (const { name, value } of attrs) {
    const max = VID_ATTRIBUTES.get(name)
    if (max !== undefined && value.length > max)
      throw fail('VID_HTML_ATTRIBUTE_LONG', {
        element: `<${tagName}>`,
        line,
        attribute: name,
        length: value.length,
        max,
      })
  }
}

const isElement = (node: Tree.Node): node is Element => 'tagName' in node

/** Builds a tree, and fails at the first element that is nested too deep or has too long an attribute. */
const boundedAdapter = (): TreeAdapter<DefaultTreeAdapterMap> => {
  let depth = 0
  return {
    ...defaultTreeAdapter,
    setNodeSourceCodeLocation(node, place) {
      if (isElement(node)) checkLengths(node, place?.startLine ?? 1)
      defaultTreeAdapter.setNodeSourceCodeLocation(node, place)
    },
    onItemPush(element) {
      depth += 1
      if (depth <= MAX_DEPTH) return
      const { tagName, sourceCodeLocation: place } = element
      throw fail('VID_HTML_DEEP', { element: `<${tagName}>`, line: place?.startLine ?? 1, levels: MAX_DEPTH })
    },
    onItemPop() {
      depth -= 1
    },
  }
}

/** Parses a document, with the source location of each element. */
export const parseDocument = (html: string): Tree.Document =>
  parse(html, { sourceCodeLocationInfo: true, treeAdapter: boundedAdapter() })

/** Parses markup as the content of an element. */
export const parseNodes = (element: Element, markup: string): readonly Tree.ChildNode[] =>
  parseFragment(element, markup, { treeAdapter: boundedAdapter() }).childNodes

/** The child elements of a node; the content of a `<template>` does not count as its children. */
export const childElements = (node: Tree.ParentNode): Element[] => node.childNodes.filter(isElement)

/** Every element below a node, in document order. */
export function* descendants(node: Tree.ParentNode): Generator<Element> {
  for (const child of childElements(node)) {
    yield child
    yield* descendants(child)
  }
}

/** The content of every `<template>` below a node, in document order. */
export function* templateContents(node: Tree.ParentNode): Generator<Tree.DocumentFragment> {
  for (const element of descendants(node)) if ('content' in element) yield (element as Tree.Template).content
}

/** The value of an attribute, or null when it is absent. */
export const attributeOf = (element: Element, name: string): string | null =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? null

/** The 1-based line of an element's start tag; 1 for one that the parser implied. */
export const lineOf = (element: Element): number => element.sourceCodeLocation?.startLine ?? 1

/** Characters of an attribute in a message; a source may be a whole file as a data URL. */
const MAX_SHOWN = 200

const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** A shortened start tag for messages: the tag name and the first identifying attribute. */
export const labelOf = (element: Element): string => {
  const name = ['id', 'data-composition-id', 'src', 'class'].find((key) => attributeOf(element, key))
  if (name === undefined) return `<${element.tagName}>`
  return `<${element.tagName} ${name}="${shown(attributeOf(element, name) ?? '')}">`
}
