import {
  attributeOf,
  childElements,
  type Element,
  fitsSelectors,
  labelOf,
  lineOf,
  parseSheet,
} from '@vid/core/source-model'
import { findMentions } from '../follow/mentions.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addEdit, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { type Located, withDescendants } from '../source/locate.ts'
import { lineOfNode, rulesOf, sheetsOf } from '../source/sheet-source.ts'
import type { Sources } from '../source/sources.ts'
import { type OperationContext, requireInner } from './context.ts'

/** Elements that are never drawn, between which nothing is in front. */
const UNDRAWN = /^(?:script|style|link|meta|template|title|base|audio|source|track|param|noscript)$/

const STRUCTURAL = /:(?:nth|first|last|only)-|[+~]/

/** Says which rules depend on the places of elements among their siblings. */
export const noteStructure = (plan: Plan, sources: Sources, { file, element }: Located): void => {
  const siblings = element.parentNode ? childElements(element.parentNode) : []
  for (const source of sheetsOf(sources, file))
    for (const rule of rulesOf(source)) {
      if (!STRUCTURAL.test(rule.selector.replaceAll(/\[[^[\]]*\]/g, ''))) continue
      if (!siblings.some((sibling) => fitsSelectors(rule.selector, sibling) !== false)) continue
      addNote(plan, {
        kind: 'structure',
        file: source.sheet.file,
        line: lineOfNode(source, rule),
        text: `The rule "${rule.selector}" depends on the order of elements.`,
      })
    }
}

const hasDeclaration = (style: string, property: string): boolean => {
  try {
    let has = false
    parseSheet(style).walkDecls(property, () => {
      has = true
    })
    return has
  } catch {
    return false // The browser ignores it as well.
  }
}

const noteLayers = (plan: Plan, sources: Sources, { file }: Located, elements: readonly Element[]): void => {
  for (const element of elements) {
    const style = attributeOf(element, 'style') ?? ''
    const isInline = hasDeclaration(style, 'z-index')
    const byRule = sheetsOf(sources, file).some((source) =>
      rulesOf(source).some(
        (rule) => hasDeclaration(rule.toString(), 'z-index') && fitsSelectors(rule.selector, element) === true,
      ),
    )
    if (isInline || byRule)
      addNote(plan, {
        kind: 'style',
        file: file.file,
        line: lineOf(element),
        text: `${labelOf(element)} has a z-index, which comes before the order in the source.`,
      })
  }
}

/** Says which scripts may find another element first: they look elements up that now stand in another order. */
const noteLookups = (plan: Plan, sources: Sources, place: Located, passed: readonly Element[]): void => {
  const others = findMentions(sources, place, passed.flatMap(withDescendants))
  for (const { file, line, selector } of findMentions(sources, place, withDescendants(place.element)))
    if (others.some((other) => other.file === file && other.line === line && other.selector === selector))
      addNote(plan, {
        kind: 'script',
        file,
        line,
        text: `A script looks "${selector}" up, and may find another element first.`,
      })
}

/** Plans `order`. */
export const planOrder = (operation: OperationOf<'order'>, context: OperationContext): Plan => {
  const { sources } = context
  const plan = emptyPlan()
  const place = requireInner(context, 'order', operation.target)
  const { file, element } = place
  const siblings = (element.parentNode ? childElements(element.parentNode) : []).filter(
    ({ tagName }) => !UNDRAWN.test(tagName),
  )
  const index = siblings.indexOf(element)
  const { to } = operation
  const isUp = to === 'front' || to === 'forward'
  const others = isUp ? siblings.slice(index + 1) : siblings.slice(0, Math.max(0, index))
  const sibling = to === 'front' || to === 'backward' ? others.at(-1) : others[0]
  if (!sibling) return plan
  addEdit(plan, file.file, { kind: 'relocate', element, sibling, side: isUp ? 'after' : 'before' })
  const where = isUp ? 'in front of' : 'behind'
  plan.changes.push({
    file: file.file,
    line: lineOf(element),
    text: `${labelOf(element)} is drawn ${where} ${labelOf(sibling)}.`,
  })
  noteLayers(plan, sources, place, [element, sibling])
  noteLookups(plan, sources, place, to === 'front' || to === 'back' ? others : [sibling])
  noteStructure(plan, sources, place)
  return plan
}

/** Plans `track`. */
export const planTrack = (operation: OperationOf<'track'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const place = requireInner(context, 'track', operation.target)
  const { element } = place
  const isOld = attributeOf(element, 'data-track-index') === null && attributeOf(element, 'data-layer') !== null
  const name = isOld ? 'data-layer' : 'data-track-index'
  const value = String(operation.track)
  if (attributeOf(element, name) === value) return plan
  addAttribute(plan, 'changes', place, [name, value], `${labelOf(element)} is on track ${value}.`)
  return plan
}
