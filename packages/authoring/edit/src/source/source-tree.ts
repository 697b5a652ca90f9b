import { childElements, type Element, parseDocument } from '@vid/core/source-model'

type Document = ReturnType<typeof parseDocument>
type Parent = Parameters<typeof childElements>[0]

/** The elements of a source as a parser reads it, by their paths and by the offsets at which they begin. */
export interface SourceTree {
  readonly document: Document
  /** Path of each element that is written in the text, such as `html/body/div[2]`. */
  readonly paths: ReadonlyMap<Element, string>
  readonly byPath: ReadonlyMap<string, Element>
  readonly byStart: ReadonlyMap<number, Element>
}

/** The nodes in which the content of an element stands: that of a `<template>` is a fragment of its own. */
export const contentOf = (node: Parent): Parent => ('content' in node ? (node.content as Parent) : node)

/** Parses a source. */
export const readTree = (html: string): SourceTree => {
  const document = parseDocument(html)
  const paths = new Map<Element, string>()
  const byPath = new Map<string, Element>()
  const byStart = new Map<number, Element>()
  const visit = (parent: Parent, above: string) => {
    const counts = new Map<string, number>()
    const children = childElements(contentOf(parent))
    const totals = new Map<string, number>()
    for (const { tagName } of children) totals.set(tagName, (totals.get(tagName) ?? 0) + 1)
    for (const child of children) {
      const number = (counts.get(child.tagName) ?? 0) + 1
      counts.set(child.tagName, number)
      const path = `${above}${child.tagName}${totals.get(child.tagName) === 1 ? '' : `[${number}]`}`
      paths.set(child, path)
      byPath.set(path, child)
      const start = child.sourceCodeLocation?.startOffset
      if (start !== undefined && !byStart.has(start)) byStart.set(start, child)
      visit(child, `${path}/`)
    }
  }
  visit(document, '')
  return { document, paths, byPath, byStart }
}
