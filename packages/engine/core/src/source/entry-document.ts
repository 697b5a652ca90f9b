import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { findRoot } from './root.ts'
import { compositionTemplate, readTemplate } from './template-file.ts'
import { descendants, type Element, parseDocument } from './tree.ts'

/** An entry file as the document that is rendered. */
export interface EntryDocument {
  readonly document: Tree.Document
  readonly root: Element | null
  /** Whether the root stood in a `<template>`, the form of embedded files, whose content is in its place now. */
  readonly fromTemplate: boolean
}

/** Parses an entry file. An embedded file rendered by itself shows the content of its template. */
export const parseEntryDocument = (html: string): EntryDocument => {
  const document = parseDocument(html)
  const root = findRoot(document)
  const template = compositionTemplate(document, root)
  const body = [...descendants(document)].find(({ tagName }) => tagName === 'body')
  if (template === undefined || body === undefined) return { document, root, fromTemplate: false }
  const content = readTemplate(template, [template])
  // Not in the head, where a parser leaves a template that comes first: its content is seen in the body alone.
  for (const node of content.nodes) {
    adapter.detachNode(node)
    adapter.appendChild(body, node)
  }
  adapter.detachNode(template)
  // Embedded, it fills its host to the edges.
  body.attrs = [{ name: 'style', value: 'margin:0' }, ...body.attrs]
  return { document, root: findRoot(document), fromTemplate: true }
}
