import {
  attributeOf,
  type CssDeclaration,
  type CssRule,
  type Element,
  fitsSelectors,
  labelOf,
  lineOf,
  parseSheet,
  writeAttributeValue,
} from '@vid/core/source-model'
import { noteMotion } from '../follow/property-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addEdit, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { mapValue } from '../patch/reference-map.ts'
import { type Located, locate } from '../source/locate.ts'
import { lineOfNode, type ParsedSheet, rulesOf, sheetsOf } from '../source/sheet-source.ts'
import type { Sources } from '../source/sources.ts'
import { type OperationContext, refuse } from './context.ts'
import { valueProblem } from './style-value.ts'

/** A rule that declares a property of an element. */
export interface DeclaringRule {
  readonly source: ParsedSheet
  readonly rule: CssRule
  readonly declaration: CssDeclaration
}

/** A property as CSS compares it: custom ones keep their case. */
const nameOf = (property: string) => (property.startsWith('--') ? property : property.toLowerCase())

/** The last declaration of a property that no shorthand after it overrides. */
const effective = (nodes: readonly { readonly type: string }[], property: string): CssDeclaration | undefined => {
  const declarations = nodes.filter((node): node is CssDeclaration => node.type === 'decl')
  const index = declarations.findLastIndex(({ prop }) => nameOf(prop) === property)
  const isOverridden = declarations
    .slice(index + 1)
    .some(({ prop }) => property.startsWith(`${nameOf(prop)}-`) && !prop.startsWith('--'))
  return isOverridden ? undefined : declarations[index]
}

/** The rules that declare a property, or a shorthand of it, for an element, as far as the sources show. */
export const declaringRules = (
  sources: Sources,
  { file, element }: Located,
  property: string,
): readonly DeclaringRule[] => {
  const rules: DeclaringRule[] = []
  for (const source of sheetsOf(sources, file))
    for (const rule of rulesOf(source)) {
      const declaration = (rule.nodes ?? []).findLast(
        (node): node is CssDeclaration => node.type === 'decl' && nameOf(node.prop) === property,
      )
      if (declaration && fitsSelectors(rule.selector, element) !== false) rules.push({ source, rule, declaration })
    }
  return rules
}

/** Whether a rule is for one element of one file alone, whatever the page. */
const isForOneElement = (sources: Sources, { source, rule }: DeclaringRule, element: Element): boolean => {
  if (rule.selectors.length !== 1 || rule.parent?.type !== 'root') return false
  const users = sources.project.files.filter(({ sheets }) => sheets.some(({ file }) => file === source.sheet.file))
  return (
    users.length === 1 &&
    users.every(({ elements }) =>
      elements.every(
        (other) =>
          fitsSelectors(rule.selector, other) ===
          (other.sourceCodeLocation?.startOffset === element.sourceCodeLocation?.startOffset),
      ),
    )
  )
}

/** Checks a value; one that would end its declaration is refused. */
const requireValue = (element: Element, property: string, value: string): void => {
  const isOne = (() => {
    try {
      const { nodes } = parseSheet(`a{${property}:${value}}`)
      const [rule] = nodes
      const inner = rule && 'nodes' in rule ? (rule.nodes ?? []) : []
      const [declaration] = inner
      return nodes.length === 1 && inner.length === 1 && declaration?.type === 'decl' && declaration.prop === property
    } catch {
      return false
    }
  })()
  if (!isOne || value.trim() === '' || /[{};\n\r]|<\/|\/\*/.test(value.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '""')))
    throw refuse(
      'style',
      labelOf(element),
      `"${value}" is no value of ${property}`,
      'Give one CSS value, without a semicolon.',
    )
}

/** Where the value of a declaration stands in the text that it was parsed from. */
const valueSpan = (
  text: string,
  declaration: CssDeclaration,
): { readonly start: number; readonly end: number } | undefined => {
  const start = declaration.source?.start?.offset
  if (start === undefined) return undefined
  const written = (declaration.raws.value as { raw?: string } | undefined)?.raw ?? declaration.value
  const colon = start + declaration.prop.length + (declaration.raws.between ?? ':').length
  return text.slice(colon, colon + written.length) === written
    ? { start: colon, end: colon + written.length }
    : undefined
}

/** The span of a declaration with its semicolon and the spaces before it. */
const wholeSpan = (
  text: string,
  declaration: CssDeclaration,
): { readonly start: number; readonly end: number } | undefined => {
  const { source } = declaration
  const first = source?.start?.offset
  const last = source?.end?.offset
  if (first === undefined || last === undefined) return undefined
  const end = text[last - 1] === ';' ? last : text[last] === ';' ? last + 1 : last
  const before = text.slice(0, first)
  if (before.trim() === '') return { start: first, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) }
  // The last one of those without a semicolon at the end takes that before it along.
  const isOpen = text[end - 1] !== ';'
  const rest = before.trimEnd()
  return { start: isOpen && rest.endsWith(';') ? rest.length - 1 : rest.length, end }
}

interface Styling {
  readonly plan: Plan
  readonly place: Located
  readonly property: string
  readonly value: string | null
}

/** Writes a declaration at the end of an inline style, in the way of those before it. */
const append = (style: string, declaration: string): string => {
  if (style.trim() === '') return declaration
  const hasSemicolon = /;\s*$/.test(style)
  const joint = hasSemicolon ? /;(\s*)$/.exec(style)?.[1] || ' ' : '; '
  return `${style.trimEnd().replace(/;$/, '')}${hasSemicolon ? `;${joint}` : joint}${declaration}${hasSemicolon ? ';' : ''}`
}

const setInline = ({ plan, place, property, value }: Styling, html: string, isImportant: boolean): void => {
  const { file, element } = place
  const style = attributeOf(element, 'style')
  const map = mapValue(html, element, 'style')
  const declaration = effective(nodesOf(style), property)
  const mark = isImportant ? ' !important' : ''
  const name = labelOf(element)
  const text =
    value === null
      ? `${property} of ${name} is removed.`
      : `${property} of ${name} is "${value}"${declaration ? ` instead of "${declaration.value}"` : ''}.`
  const span =
    style !== null && declaration && (value === null ? wholeSpan(style, declaration) : valueSpan(style, declaration))
  const after =
    style !== null && span
      ? style.slice(0, span.start) + (value ?? '') + style.slice(span.end)
      : value === null
        ? style
        : append(
            style ?? '',
            `${property}${/:\S/.test(style ?? '') && !/:\s/.test(style ?? '') ? ':' : ': '}${value}${mark}`,
          )
  if (after === style) return
  if (after === null || after.trim() === '' || !span || !map || map.quote === '') {
    addAttribute(plan, 'changes', place, ['style', after?.trim() ? after : null], text)
    return
  }
  addEdit(plan, file.file, {
    kind: 'value',
    element,
    name: 'style',
    value: after,
    start: map.at(span.start),
    end: map.at(span.end),
    text: writeAttributeValue(value ?? '', map.quote),
  })
  plan.changes.push({ file: file.file, line: lineOf(element), text })
}

const nodesOf = (style: string | null) => {
  try {
    return parseSheet(style ?? '').nodes
  } catch {
    return [] // A browser drops it as well.
  }
}

const setInRule = (
  { plan, place, property, value }: Styling,
  sources: Sources,
  { source, rule, declaration }: DeclaringRule,
): boolean => {
  const whole = sources.textOf(source.sheet.file) ?? ''
  const text = source.sheet.span ? whole.slice(source.sheet.span.start, source.sheet.span.end) : whole
  const span = value === null ? wholeSpan(text, declaration) : valueSpan(text, declaration)
  if (!span) return false
  addEdit(plan, source.sheet.file, {
    kind: 'raw',
    element: source.holder,
    start: source.offset + span.start,
    end: source.offset + span.end,
    text: value ?? '',
  })
  const is = value === null ? 'is removed' : `is "${value}" instead of "${declaration.value}"`
  plan.changes.push({
    file: source.sheet.file,
    line: lineOfNode(source, declaration),
    text: `${property} of ${labelOf(place.element)} ${is} in the rule "${rule.selector}", which is for it alone.`,
  })
  return true
}

/** Plans `style`. */
export const planStyle = (operation: OperationOf<'style'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const { sources } = context
  const place = locate(sources, operation.target)
  const { file, element } = place
  const property = nameOf(operation.property)
  const { value } = operation
  if (value !== null) requireValue(element, property, value)
  const styling = { plan, place, property, value }
  const html = sources.textOf(file.file) ?? ''
  const rules = declaringRules(sources, place, property)
  const [rule] = rules
  const isInline = effective(nodesOf(attributeOf(element, 'style')), property) !== undefined
  const inRule = rule && !isInline && rules.length === 1 && isForOneElement(sources, rule, element) ? rule : undefined
  const isLast = inRule && effective(inRule.rule.nodes ?? [], property) === inRule.declaration
  noteMotion(plan, sources, place, property)
  const problem = value === null ? undefined : valueProblem(property, value)
  if (problem) addNote(plan, { kind: 'style', file: file.file, line: lineOf(element), text: problem })
  if (inRule && isLast && setInRule(styling, sources, inRule)) return plan
  setInline(
    styling,
    html,
    rules.some(({ declaration }) => declaration.important),
  )
  if (rule && !isInline)
    addNote(plan, {
      kind: 'style',
      file: rule.source.sheet.file,
      line: lineOfNode(rule.source, rule.declaration),
      text:
        value === null
          ? `The rule "${rule.rule.selector}" still sets ${property}; it is not for ${labelOf(element)} alone.`
          : `The rule "${rule.rule.selector}" sets ${property} of other elements too, or not always, so an inline style is written.`,
    })
  return plan
}
