import type { MemberExpression, Node, ObjectExpression, Program } from 'acorn'
import { simple } from 'acorn-walk'

/** A use of scrolling that a composition does not follow; `call` is it in short, as written in a script. */
export interface ScrollUse {
  readonly kind: 'document' | 'smooth'
  readonly call: string
  readonly line: number
}

const WINDOWS = new Set(['window', 'self', 'globalThis'])
const DOCUMENTS = new Set(['documentElement', 'body', 'scrollingElement'])
const CALLS = new Set(['scroll', 'scrollTo', 'scrollBy'])
const POSITIONS = new Set(['scrollTop', 'scrollLeft'])

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' ? (node as { name?: string }).name : undefined

/** The names of a member expression, from its object to its property; empty for anything else. */
const pathOf = (node: Node): string[] => {
  if (node.type !== 'MemberExpression') return [nameOf(node) ?? '']
  const { object, property, computed } = node as MemberExpression
  return computed ? [''] : [...pathOf(object), nameOf(property) ?? '']
}

/** Whether a name, or the path to an element, is that of the window or of its document. */
const isOfDocument = (path: readonly string[]): boolean =>
  path.length === 1 ? WINDOWS.has(path[0] ?? '') : path.at(-2) === 'document' && DOCUMENTS.has(path.at(-1) ?? '')

const isZero = (node: Node | undefined): boolean =>
  node === undefined || (node.type === 'Literal' && (node as { value?: unknown }).value === 0)

const propertyOf = (node: Node | undefined, name: string): Node | undefined => {
  if (node?.type !== 'ObjectExpression') return undefined
  const { properties } = node as ObjectExpression
  const property = properties.find((candidate) => candidate.type === 'Property' && nameOf(candidate.key) === name)
  return property?.type === 'Property' ? property.value : undefined
}

/** Whether a position is that of the beginning, which needs no scrolling. */
const isBeginning = (values: readonly Node[]): boolean => {
  const [first] = values
  if (first?.type !== 'ObjectExpression') return values.every(isZero)
  return isZero(propertyOf(first, 'top')) && isZero(propertyOf(first, 'left'))
}

/** Collects what a parsed script expects of scrolling, as far as its text reveals. */
export const readScrolls = (program: object): ScrollUse[] => {
  const uses: ScrollUse[] = []
  const add = (kind: ScrollUse['kind'], call: string, node: Node) =>
    void uses.push({ kind, call, line: node.loc?.start.line ?? 1 })
  simple(program as Program, {
    CallExpression(node) {
      const path = pathOf(node.callee)
      const name = path.at(-1) ?? ''
      // A bare scroll() may well be a function of the page itself.
      const isBare = path.length === 1 && name !== 'scroll'
      if (CALLS.has(name) && (isBare || isOfDocument(path.slice(0, -1))) && !isBeginning(node.arguments))
        add('document', `${name}(…)`, node)
      if (path.join('.') === 'ScrollTrigger.create' && !propertyOf(node.arguments[0], 'scroller'))
        add('document', 'ScrollTrigger.create(…)', node)
    },
    NewExpression(node) {
      const source = propertyOf(node.arguments[0], 'source')
      if (nameOf(node.callee) === 'ScrollTimeline' && source && isOfDocument(pathOf(source)))
        add('document', 'new ScrollTimeline(…)', node)
    },
    AssignmentExpression(node) {
      const path = pathOf(node.left)
      if (POSITIONS.has(path.at(-1) ?? '') && isOfDocument(path.slice(0, -1)) && !isZero(node.right))
        add('document', `${path.at(-2)}.${path.at(-1)}`, node)
    },
    Property(node) {
      const name = nameOf(node.key)
      const { value } = node.value as { value?: unknown }
      if (name === 'behavior' && value === 'smooth') add('smooth', "behavior: 'smooth'", node)
      if (name === 'scrollTrigger' && !propertyOf(node.value, 'scroller')) add('document', 'scrollTrigger', node)
    },
  })
  return uses
}
