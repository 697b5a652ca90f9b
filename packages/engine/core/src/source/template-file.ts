import { defaultTreeAdapter as adapter, html, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { holdsClips, isDrawn, isPage, namesComposition } from './element-kinds.ts'
import { findRoot } from './root.ts'
import { attributeOf, childElements, descendants, type Element } from './tree.ts'

const isTemplate = (element: Element): element is Tree.Template => 'content' in element

const isBlank = (node: Tree.ChildNode): boolean => adapter.isTextNode(node) && node.value.trim() === ''

/** Whether the body of a document draws nothing outside of its templates. */
const drawsNothing = (document: Tree.Document): boolean => {
  const body = [...descendants(document)].find(({ tagName }) => tagName === 'body')
  const hasText = body?.childNodes.some((node) => adapter.isTextNode(node) && !isBlank(node)) ?? false
  return body === undefined || (!hasText && !childElements(body).some(isDrawn))
}

/** The first `<template>` of a document. */
export const firstTemplate = (document: Tree.Document): Tree.Template | undefined =>
  [...descendants(document)].find(isTemplate)

/**
 * The `<template>` that holds the composition of a file, which is the form of embedded files; undefined where the
 * document shows its composition itself. `whole` is the root that the document has outside of its templates.
 */
export const compositionTemplate = (document: Tree.Document, whole: Element | null): Tree.Template | undefined => {
  if (whole !== null && holdsClips(whole) && !isPage(whole)) return undefined
  const templates = [...descendants(document)].filter(isTemplate)
  const named = templates.find((template) => namesComposition(template) || findRoot(template.content) !== null)
  return named ?? (whole !== null && drawsNothing(document) ? templates[0] : undefined)
}

/** A `<div>` with the attributes of an element and other content. */
export const asDiv = (element: Element, nodes: readonly Tree.ChildNode[]): Element => {
  const attributes = element.attrs.filter(({ name }) => name !== 'data-composition-variables')
  const div = adapter.createElement('div', html.NS.HTML, attributes)
  if (element.sourceCodeLocation) div.sourceCodeLocation = element.sourceCodeLocation
  for (const node of nodes) adapter.appendChild(div, node)
  return div
}

/** A `<div>` in place of a template that names a composition: as large as its host, unless it says how large it is. */
const asBox = (element: Element, nodes: readonly Tree.ChildNode[]): Element => {
  const box = asDiv(element, nodes)
  if (attributeOf(box, 'data-width') !== null && attributeOf(box, 'data-height') !== null) return box
  const style = `width:100%;height:100%;${attributeOf(box, 'style') ?? ''}`
  box.attrs = [...box.attrs.filter(({ name }) => name !== 'style'), { name: 'style', value: style }]
  return box
}

/** What a template shows. */
export interface TemplateContent {
  readonly nodes: readonly Tree.ChildNode[]
  readonly root: Element | null
}

/** The content of a template, in a box with the name of one of `names` where nothing inside has any. */
export const readTemplate = (template: Tree.Template, names: readonly Element[]): TemplateContent => {
  const nodes = [...template.content.childNodes]
  const inside = findRoot(template.content)
  const name = inside === null && !nodes.every(isBlank) ? names.find(namesComposition) : undefined
  if (name === undefined) return { nodes, root: inside }
  const box = asBox(name, nodes)
  return { nodes: [box], root: box }
}
