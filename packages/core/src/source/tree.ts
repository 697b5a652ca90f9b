import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** An element of a parsed source text. */
export type Element = Tree.Element

/** Parses a whole document, keeping where each element was written. */
export const parseDocument = (html: string): Tree.Document => parse(html, { sourceCodeLocationInfo: true })

const isElement = (node: Tree.Node): node is Element => 'tagName' in node

/** The elements directly inside a node; the content of a `<template>` is not inside it. */
export const childElements = (node: Tree.ParentNode): Element[] => node.childNodes.filter(isElement)

/** Every element below a node, in document order. */
export function* descendants(node: Tree.ParentNode): Generator<Element> {
  for (const child of childElements(node)) {
    yield child
    yield* descendants(child)
  }
}

/** What every `<template>` below a node holds, in document order. */
export function* templateContents(node: Tree.ParentNode): Generator<Tree.DocumentFragment> {
  for (const element of descendants(node)) if ('content' in element) yield (element as Tree.Template).content
}

/** An attribute's value, or null when it is not written. */
export const attributeOf = (element: Element, name: string): string | null =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? null

/** The 1-based line of an element's start tag; 1 for one that the parser implied. */
export const lineOf = (element: Element): number => element.sourceCodeLocation?.startLine ?? 1

/** A short start tag that a reader can find: its name and the first attribute that identifies it. */
export const labelOf = (element: Element): string => {
  const name = ['id', 'data-composition-id', 'src', 'class'].find((key) => attributeOf(element, key))
  return name === undefined
    ? `<${element.tagName}>`
    : `<${element.tagName} ${name}="${attributeOf(element, name)}">`
}
