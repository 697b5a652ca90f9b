import { defaultTreeAdapter as adapter, html, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { isPage } from '../source/element-kinds.ts'
import { readDeclarationsJson } from '../source/parse.ts'
import { findRoot } from '../source/root.ts'
import { asDiv, compositionTemplate, firstTemplate, readTemplate } from '../source/template-file.ts'
import { attributeOf, childElements, descendants, type Element, lineOf, parseDocument } from '../source/tree.ts'

/** The parts of a file that is embedded into another. */
export interface NestedFile {
  /** Nodes for the host, including styles and scripts. */
  readonly nodes: readonly Tree.ChildNode[]
  readonly root: Element | null
  readonly declarationsJson: string | null
  /** Classes and inline style of `<html>` and `<body>`, for the host that takes their place. */
  readonly boxClass: string
  readonly boxStyle: string
}

/** Sets an attribute, replacing its value. */
export const setAttribute = (element: Element, name: string, value: string): void => {
  element.attrs = [...element.attrs.filter((attribute) => attribute.name !== name), { name, value }]
}

/** Creates an element. */
export const createElement = (tag: string, attributes: Readonly<Record<string, string>>, text = ''): Element => {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  const element = adapter.createElement(tag, html.NS.HTML, attrs)
  if (text !== '') adapter.insertText(element, text)
  return element
}

/** A part of a text, by offsets. */
export interface SourceSpan {
  readonly start: number
  readonly end: number
}

/** The text inside an element, its 1-based line, and its place in the file; an element without text has none. */
export const textOf = (element: Element): { text: string; line: number; span: SourceSpan } => {
  const [node] = element.childNodes
  const place = node?.sourceCodeLocation ?? undefined
  const start = place?.startOffset ?? element.sourceCodeLocation?.startTag?.endOffset ?? 0
  return node && adapter.isTextNode(node)
    ? { text: node.value, line: place?.startLine ?? lineOf(element), span: { start, end: place?.endOffset ?? start } }
    : { text: '', line: lineOf(element), span: { start, end: start } }
}

const isHead = (element: Element) =>
  element.tagName === 'style' ||
  element.tagName === 'script' ||
  (element.tagName === 'link' && /\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? ''))

/** The `<template>` whose content an embedded file shows; undefined for a document. */
export const nestedTemplate = (document: Tree.Document, whole: Element | null): Tree.Template | undefined =>
  compositionTemplate(document, whole) ?? (whole === null ? firstTemplate(document) : undefined)

/** Parses an embedded file: the content of its `<template>`, or the body, styles and scripts of a document. */
export const readNestedFile = (text: string): NestedFile => {
  const document = parseDocument(text)
  const whole = findRoot(document)
  const outer = [...descendants(document)].filter(isPage)
  const template = nestedTemplate(document, whole)
  if (template !== undefined) {
    const { nodes, root } = readTemplate(template, [template, ...outer.toReversed()])
    const declarationsJson = readDeclarationsJson(document, root, template)
    return { nodes, root, declarationsJson, boxClass: '', boxStyle: '' }
  }
  const head = [...descendants(document)].find(({ tagName }) => tagName === 'head')
  const body = outer.find(({ tagName }) => tagName === 'body')
  const isOuter = whole !== null && outer.includes(whole)
  const content = body?.childNodes ?? []
  const root = isOuter ? asDiv(whole, content) : whole
  const boxes = outer.filter((element) => !isOuter || element !== whole)
  const join = (name: string, separator: string) =>
    boxes.flatMap((element) => attributeOf(element, name) || []).join(separator)
  return {
    nodes: [...(head ? childElements(head).filter(isHead) : []), ...(isOuter && root ? [root] : content)],
    root,
    declarationsJson: readDeclarationsJson(document, whole),
    boxClass: join('class', ' '),
    boxStyle: join('style', ';'),
  }
}
