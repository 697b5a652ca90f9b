import type postcss from 'postcss'
import type { Rule } from 'postcss'
import parser, { type Node, type Selector } from 'postcss-selector-parser'
import { type IdNames, renameIds, widenIds } from './scope-ids.ts'

const isKeyframes = (name: string) => /^(-[a-z]+-)?keyframes$/i.test(name)

/** The names of the `@keyframes` of a style sheet. */
export const keyframeNames = (sheet: postcss.Root): string[] => {
  const names: string[] = []
  sheet.walkAtRules((rule) => {
    if (isKeyframes(rule.name)) names.push(rule.params.trim().replace(/^(["'])(.*)\1$/, '$2'))
  })
  return names
}

/** Renames the animations that a CSS value refers to. */
export const renameAnimations = (value: string, names: ReadonlySet<string>, instance: string): string =>
  value.replace(/(["'])([^"']+)\1|(?<![\w-])-?[A-Za-z_][\w-]*/g, (word, quote?: string, quoted?: string) =>
    names.has(quoted ?? word) ? `${quote ?? ''}${quoted ?? word}-${instance}${quote ?? ''}` : word,
  )

const boxTag = (node: Node | undefined): boolean => node?.type === 'tag' && /^(html|body)$/i.test(node.value)
const isBox = (node: Node): boolean => boxTag(node) || (node.type === 'pseudo' && node.value === ':root')

const LEGACY_PSEUDO_ELEMENT = /^:(before|after|first-line|first-letter)$/i
const isPseudoElement = (node: Node) =>
  node.type === 'pseudo' && (node.value.startsWith('::') || LEGACY_PSEUDO_ELEMENT.test(node.value))

const raw = (text: string) => parser.string({ value: text })

/** The first and the last compound of a selector. */
const compoundsOf = ({ nodes }: Selector) => {
  const cut = nodes.findIndex((node) => node.type === 'combinator')
  const lastCut = nodes.findLastIndex((node) => node.type === 'combinator')
  return { first: cut < 0 ? [...nodes] : nodes.slice(0, cut), last: nodes.slice(lastCut + 1) }
}

/** `html body` and `html > body` both become the host: drops the inner one. */
const joinBoxes = (selector: Selector): void => {
  selector.walk((node) => {
    const combinator = node.next()
    const inner = combinator?.next()
    if (!isBox(node) || combinator?.type !== 'combinator' || !['', '>'].includes(combinator.value.trim())) return
    if (!boxTag(inner)) return
    inner?.remove()
    combinator.remove()
  })
}

const boxOf = (instance: string): string => `[data-vid-instance="${instance}"]`

/** Scopes one complex selector without changing its specificity; one that is relative to something in the instance already is. */
const scopeSelector = (selector: Selector, instance: string, isRelative = false): void => {
  const box = boxOf(instance)
  joinBoxes(selector)
  const { first, last } = compoundsOf(selector)
  if (!last.some(isBox)) {
    // Does not match inside nested instances.
    const limit = raw(`:where(:not(${box} [data-vid-instance] *))`)
    const pseudoElement = last.find(isPseudoElement)
    if (pseudoElement) selector.insertBefore(pseudoElement, limit)
    else selector.append(limit)
  }
  const start = first[0]
  if (start && !isRelative && !first.some(isBox)) {
    selector.prepend(raw(`${start.spaces.before}:where(${box}) `))
    start.spaces.before = ''
  }
  selector.walk((node) => {
    if (!isBox(node)) return
    const specificity = node.type === 'tag' ? ':not(vid-none)' : ':not(.vid-none)'
    node.replaceWith(raw(`${node.spaces.before}:where(${box})${specificity}${node.spaces.after}`))
  })
}

const isScope = (node: object | undefined): boolean => /^scope$/i.test((node as Partial<postcss.AtRule>)?.name ?? '')

/** Whether a rule is in an `@scope`, whose root its selectors are relative to. */
const isInScope = (node: postcss.ChildNode): boolean => {
  for (let parent = node.parent; parent; parent = parent.parent as typeof parent) if (isScope(parent)) return true
  return false
}

/** The prelude of an `@scope`, such as `(.card) to (.slot)`, with its root in an instance; without one, that is its root. */
const scopePrelude = (params: string, instance: string, scope: (selector: string) => string): string => {
  const text = params.trim()
  if (!text.startsWith('(')) return `(${boxOf(instance)}) ${text}`
  const [root = '', ...limits] = text.split(/\)\s*to\s*\(/i)
  const selector = limits.length === 0 ? root.slice(1, -1) : root.slice(1)
  return [`(${scope(selector)}`, ...limits].join(') to (') + (limits.length === 0 ? ')' : '')
}

const isTopRule = (rule: Rule): boolean => {
  for (let parent = rule.parent; parent; parent = parent.parent as typeof parent) {
    if (parent.type === 'rule') return false
    if (parent.type === 'atrule' && isKeyframes((parent as postcss.AtRule).name)) return false
  }
  return true
}

/** Scopes a style sheet to one instance: its selectors and the names of its `@keyframes`. */
export const scopeSheet = (sheet: postcss.Root, names: ReadonlySet<string>, instance: string, ids: IdNames): void => {
  const scope = parser((root) => root.each((selector) => scopeSelector(selector, instance)))
  const relative = parser((root) => root.each((selector) => scopeSelector(selector, instance, true)))
  sheet.walk((node) => {
    if (node.type === 'decl') node.value = renameIds(node.value, ids)
    if (node.type === 'rule' && !isKeyframes((node.parent as Partial<postcss.AtRule>).name ?? '')) widenIds(node, ids)
    if (node.type === 'atrule' && isKeyframes(node.name)) node.params = renameAnimations(node.params, names, instance)
    else if (node.type === 'decl' && /^(-webkit-)?animation(-name)?$/i.test(node.prop))
      node.value = renameAnimations(node.value, names, instance)
    else if (node.type === 'atrule' && isScope(node) && !isInScope(node))
      node.params = scopePrelude(node.params, instance, (selector) => scope.processSync(selector))
    else if (node.type === 'rule' && isTopRule(node))
      node.selector = (isInScope(node) ? relative : scope).processSync(node.selector)
  })
}
