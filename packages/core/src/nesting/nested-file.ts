import { defaultTreeAdapter as adapter, html, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { findRoot } from '../source/entry-document.ts'
import { readDeclarationsJson } from '../source/parse.ts'
import {
  attributeOf,
  childElements,
  descendants,
  type Element,
  lineOf,
  parseDocument,
  templateContents,
} from '../source/tree.ts'

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
export const createElement = (
  tag: string,
  attributes: Readonly<Record<string, string>>,
  text = '',
): Element => {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  const element = adapter.createElement(tag, html.NS.HTML, attrs)
  if (text !== '') adapter.insertText(element, text)
  return element
}

/** The text inside an element, and its 1-based line. */
export const textOf = (element: Element): { text: string; line: number } => {
  const [node] = element.childNodes
  return node && adapter.isTextNode(node)
    ? { text: node.value, line: node.sourceCodeLocation?.startLine ?? lineOf(element) }
    : { text: '', line: lineOf(element) }
}

const isHead = (element: Element) =>
  element.tagName === 'style' ||
  element.tagName === 'script' ||
  (element.tagName === 'link' && /\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? ''))

/** Turns a root that is `<html>` or `<body>` into a `<div>` for the host. */
const asDiv = (root: Element, nodes: readonly Tree.ChildNode[]): Element => {
  const div = createElement('div', {})
  div.attrs = root.attrs.filter(({ name }) => name !== 'data-composition-variables')
  if (root.sourceCodeLocation) div.sourceCodeLocation = root.sourceCodeLocation
  for (const node of nodes) adapter.appendChild(div, node)
  return div
}

/** Parses an embedded file: the content of its `<template>`, or the body, styles and scripts of a document. */
export const readNestedFile = (text: string): NestedFile => {
  const document = parseDocument(text)
  const [template] = templateContents(document)
  const whole = findRoot(document)
  if (whole === null && template !== undefined) {
    const root = findRoot(template)
    const declarationsJson = readDeclarationsJson(document, root)
    return { nodes: template.childNodes, root, declarationsJson, boxClass: '', boxStyle: '' }
  }
  const outer = [...descendants(document)].filter(({ tagName }) => tagName === 'html' || tagName === 'body')
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
