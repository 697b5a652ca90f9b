import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { attributeOf, descendants, type Element, parseDocument } from './tree.ts'

/** Finds the root of a composition in a document or in the content of a template; null when there is none. */
export const findRoot = (tree: Tree.ParentNode): Element | null => {
  let first: Element | null = null
  let host: Element | null = null
  for (const element of descendants(tree)) {
    if (attributeOf(element, 'data-root') === 'true') return element
    if (attributeOf(element, 'data-composition-id') === null) continue
    if (attributeOf(element, 'data-composition-src') === null) first ??= element
    else host ??= element
  }
  return first ?? host
}

/** An entry file as the document that is rendered. */
export interface EntryDocument {
  readonly document: Tree.Document
  readonly root: Element | null
  /** Whether the root stood in a `<template>`, the form of embedded files, whose content is in its place now. */
  readonly fromTemplate: boolean
}

const isTemplate = (element: Element): element is Tree.Template => 'content' in element

/** Parses an entry file. An embedded file rendered by itself shows the content of its template. */
export const parseEntryDocument = (html: string): EntryDocument => {
  const document = parseDocument(html)
  const root = findRoot(document)
  const elements = root === null ? [...descendants(document)] : []
  const template = elements.filter(isTemplate).find(({ content }) => findRoot(content) !== null)
  const body = elements.find(({ tagName }) => tagName === 'body')
  if (template === undefined || body === undefined) return { document, root, fromTemplate: false }
  // Not in the head, where a parser leaves a template that comes first: its content is seen in the body alone.
  for (const node of [...template.content.childNodes]) {
    adapter.detachNode(node)
    adapter.appendChild(body, node)
  }
  adapter.detachNode(template)
  // Embedded, it fills its host to the edges.
  body.attrs = [{ name: 'style', value: 'margin:0' }, ...body.attrs]
  return { document, root: findRoot(document), fromTemplate: true }
}
