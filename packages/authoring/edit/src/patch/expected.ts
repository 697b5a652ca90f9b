import { childElements, type Element, parseDocument, parseNodes } from '@vid/core/source-model'
import { contentOf } from '../source/source-tree.ts'
import { separatorBeside } from './changes.ts'
import type { InsertEdit, SourceEdit } from './edit.ts'
import { linesBetweenBreaks } from './text-edit.ts'

type Node = Element['childNodes'][number]
type Text = Extract<Node, { nodeName: '#text' }>
type Parent = NonNullable<Element['parentNode']>

const isText = (node: Node): node is Text => node.nodeName === '#text'
const isElement = (node: Node | Parent): node is Element => 'tagName' in node

/** Replaces the children of a parent. */
const setChildren = (parent: Parent, nodes: readonly Node[]): void => {
  parent.childNodes = [...nodes]
  for (const node of nodes) node.parentNode = parent
}

/** Text as a parser reads it. */
const asRead = (text: string) => text.replaceAll(/\r\n|\r/g, '\n')

const setAttribute = (element: Element, name: string, value: string | null): void => {
  const attribute = element.attrs.find((other) => other.name === name)
  if (attribute && value !== null) attribute.value = asRead(value)
  else if (value !== null) element.attrs.push({ name, value: asRead(value) })
  else element.attrs = element.attrs.filter((other) => other !== attribute)
}

const setText = (element: Element, text: string): void => {
  const [first] = element.childNodes
  const isBlank = element.childNodes.every((node) => isText(node) && node.value.trim() === '')
  const last = element.childNodes.at(-1)
  const before = !isBlank && first && isText(first) ? (/^\s*/.exec(first.value)?.[0] ?? '') : ''
  const after = !isBlank && last && isText(last) ? last.value.slice(last.value.trimEnd().length) : ''
  const mark = element.childNodes.find(isElement)
  const lines = linesBetweenBreaks(element, text)
  const nodes = lines.flatMap((line, index): Node[] => {
    const value = `${index === 0 ? before : ''}${asRead(line)}${index === lines.length - 1 ? after : ''}`
    const node: Text = { nodeName: '#text', value, parentNode: element }
    return index > 0 && mark ? [{ ...mark, childNodes: [] }, node] : [node]
  })
  setChildren(element, nodes)
}

const indexIn = (element: Element): { readonly parent: Parent; readonly index: number } => {
  const parent = element.parentNode as Parent
  return { parent, index: parent.childNodes.indexOf(element) }
}

const insert = (content: readonly Node[], sibling: Element, side: 'before' | 'after', separator: string): void => {
  const { parent, index } = indexIn(sibling)
  const space: Node[] = separator === '' ? [] : [{ nodeName: '#text', value: separator, parentNode: parent } as Text]
  const nodes = side === 'before' ? [...content, ...space] : [...space, ...content]
  setChildren(parent, parent.childNodes.toSpliced(side === 'before' ? index : index + 1, 0, ...nodes))
}

/** Markup as nodes beside an element, or at the end of its content. */
const insertMarkup = (element: Element, { side, markup }: InsertEdit, html: string): void => {
  const { parent } = indexIn(element)
  // The content of a template has no element around it.
  const context = side === 'end' || !isElement(parent) ? element : parent
  const nodes = parseNodes(context, markup)
  if (side === 'end') setChildren(element, [...element.childNodes, ...nodes])
  else insert(nodes, element, side, separatorBeside(html, element))
}

const detach = (element: Element): void => {
  const { parent, index } = indexIn(element)
  setChildren(parent, parent.childNodes.toSpliced(index, 1))
}

/** A copy of an element; `copies` receives that of each element in it. */
const clone = (element: Element, copies: Map<Element, Element>): Element => {
  const twin = { ...element, attrs: element.attrs.map((attribute) => ({ ...attribute })) }
  copies.set(element, twin)
  const cloneNodes = (nodes: readonly Node[]) =>
    nodes.map((node) => (isElement(node) ? clone(node, copies) : { ...node }))
  setChildren(twin, cloneNodes(element.childNodes))
  if ('content' in twin) {
    const template = twin as Element & { content: Parent }
    template.content = { ...template.content }
    setChildren(template.content, cloneNodes(template.content.childNodes as Node[]))
  }
  return twin
}

/** The elements of a document by the offsets at which they begin. */
const elementsByStart = (document: Parent): ReadonlyMap<number, Element> => {
  const elements = new Map<number, Element>()
  const visit = (parent: Parent) => {
    for (const child of childElements(contentOf(parent))) {
      const start = child.sourceCodeLocation?.startOffset
      if (start !== undefined && !elements.has(start)) elements.set(start, child)
      visit(child)
    }
  }
  visit(document)
  return elements
}

/** Makes the edits of a text in its tree; false where they are about elements that the tree does not have. */
const perform = (document: Parent, html: string, edits: readonly SourceEdit[]): boolean => {
  const byStart = elementsByStart(document)
  const same = (element: Element): Element | undefined => {
    const twin = byStart.get(element.sourceCodeLocation?.startOffset ?? -1)
    return twin?.tagName === element.tagName ? twin : undefined
  }
  const raw = new Map<Element, { start: number; end: number; text: string }[]>()
  // Copies first: they are of the elements as they were.
  const order = edits.toSorted((a, b) => Number(b.kind === 'copy') - Number(a.kind === 'copy'))
  for (const edit of order) {
    if (edit.kind === 'raw') {
      const holder = edit.element && same(edit.element)
      if (!holder) return false
      raw.set(holder, [...(raw.get(holder) ?? []), edit])
      continue
    }
    const element = same(edit.element)
    if (!element) return false
    if (edit.kind === 'attribute' || edit.kind === 'value') setAttribute(element, edit.name, edit.value)
    else if (edit.kind === 'text') setText(element, edit.text)
    else if (edit.kind === 'remove') detach(element)
    else if (edit.kind === 'insert') insertMarkup(element, edit, html)
    else if (edit.kind === 'copy') {
      const copies = new Map<Element, Element>()
      insert([clone(element, copies)], element, 'after', separatorBeside(html, element))
      for (const { element: edited, name, value } of edit.edits) {
        const twin = copies.get(same(edited) ?? edited)
        if (!twin) return false
        setAttribute(twin, name, value)
      }
    } else {
      const sibling = same(edit.sibling)
      if (!sibling) return false
      detach(element)
      insert([element], sibling, edit.side, separatorBeside(html, sibling))
    }
  }
  for (const [holder, changes] of raw) setRaw(holder, html, changes)
  return true
}

const setRaw = (holder: Element, html: string, changes: readonly { start: number; end: number; text: string }[]) => {
  const place = holder.sourceCodeLocation
  const start = place?.startTag?.endOffset ?? 0
  let text = html.slice(start, place?.endTag?.startOffset ?? place?.endOffset)
  for (const change of changes.toSorted((a, b) => b.start - a.start))
    text = text.slice(0, change.start - start) + change.text + text.slice(change.end - start)
  setChildren(holder, [{ nodeName: '#text', value: asRead(text), parentNode: holder } as Text])
}

/** Elements in which spaces are kept. */
const KEEPS_SPACES = new Set(['pre', 'textarea', 'script', 'style', 'xmp', 'listing'])

/** A tree as one text, in which runs of spaces between elements count as one. */
export const treeText = (node: Parent | Node, keeps = false): string => {
  if ('value' in node) return keeps ? node.value : node.value.replaceAll(/\s+/g, ' ')
  if (node.nodeName === '#comment') return `<!--${(node as { data?: string }).data}-->`
  if (!('childNodes' in node)) return node.nodeName
  const content = 'content' in node ? (node.content as Parent) : undefined
  const children: Node[] = []
  // Two texts side by side are one after they are parsed again.
  for (const child of [...node.childNodes, ...(content?.childNodes ?? [])]) {
    const before = children.at(-1)
    if (before && isText(before) && isText(child))
      children[children.length - 1] = { ...before, value: before.value + child.value }
    else children.push(child)
  }
  const isKept = keeps || ('tagName' in node && KEEPS_SPACES.has(node.tagName))
  const inside = children
    .map((child) => treeText(child, isKept))
    .filter((text) => text !== '')
    .join('')
  if (!('tagName' in node)) return inside
  const attributes = node.attrs
    .map(({ prefix, name, value }) => ` ${prefix ? `${prefix}:` : ''}${name}=${JSON.stringify(value)}`)
    .sort()
  return `<${node.namespaceURI} ${node.tagName}${attributes.join('')}>${inside}</${node.tagName}>`
}

/** Whether a text, parsed again after edits, differs from the one before at the edited nodes only. */
export const isAsExpected = (before: string, after: string, edits: readonly SourceEdit[]): boolean => {
  const document = parseDocument(before)
  return perform(document, before, edits) && treeText(document) === treeText(parseDocument(after))
}
