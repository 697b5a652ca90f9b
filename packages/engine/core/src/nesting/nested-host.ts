import { failContract, isTooDeep, MAX_NESTING, parseJson } from '@vid/protocol'
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import type { ElementPlace } from '../errors.ts'
import { attributeOf, descendants, type Element, labelOf, lineOf } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'
import { resolveVariables, type VariableIssue } from '../variables/variables.ts'
import { type NestedFile, setAttribute } from './nested-file.ts'

/** A variable value of a host that does not fit the composition it embeds. */
export type HostIssue = ElementPlace & { readonly issue: VariableIssue }

/** Where the value of an issue is written. */
export const hostIssuePlace = ({ element, file, line }: HostIssue) => `, in ${element} (${file}:${line})`

/** Location of an element. */
export const placeOf = (element: Element, file: string): ElementPlace => ({
  element: labelOf(element),
  file,
  line: lineOf(element),
})

const hostValues = (host: Element): Record<string, unknown> => {
  // An invalid attribute is reported by lint; the declared defaults apply.
  const values = parseJson(attributeOf(host, 'data-variable-values') ?? '{}')
  return typeof values === 'object' && values !== null && !Array.isArray(values) ? { ...values } : {}
}

/** Writes the variables of an embedded composition onto its host: the host's values merged over the declared defaults. */
export const giveVariables = (host: Element, file: string, declarationsJson: string | null): HostIssue[] => {
  const hosted = hostValues(host)
  if (isTooDeep(hosted)) {
    const { element, line } = placeOf(host, file)
    const problem = `data-variable-values of ${element} (${file}:${line}) nest deeper than ${MAX_NESTING} levels`
    throw failContract('VID_REQUEST_INVALID', { problems: [problem] })
  }
  const { values, issues } = resolveVariables(parseDeclarations(declarationsJson), hosted)
  setAttribute(host, 'data-vid-variables', JSON.stringify(values))
  return issues.map((issue) => ({ ...placeOf(host, file), issue }))
}

/** Writes the variables of compositions nested in the same text, where these declare or receive values. */
export const giveInlineVariables = (tree: Tree.ParentNode, root: Element | null, file: string): HostIssue[] =>
  [...descendants(tree)].flatMap((element) => {
    const isNested = attributeOf(element, 'data-composition-id') !== null && element !== root
    const isExternal = attributeOf(element, 'data-composition-src') !== null
    const declared = attributeOf(element, 'data-composition-variables')
    const valuesJson = attributeOf(element, 'data-variable-values')
    if (!isNested || isExternal || element.tagName === 'html' || (declared ?? valuesJson) === null) return []
    return giveVariables(element, file, declared)
  })

/** Moves an embedded file's content into its host, which takes the place of that file's `<html>` and `<body>`. */
export const fillHost = (host: Element, nested: NestedFile, instance: string): void => {
  const { nodes, root, boxClass, boxStyle } = nested
  for (const node of [...host.childNodes]) adapter.detachNode(node)
  for (const node of [...nodes]) {
    adapter.detachNode(node)
    adapter.appendChild(host, node)
  }
  setAttribute(host, 'data-vid-instance', instance)
  const classes = [attributeOf(host, 'class') ?? '', boxClass].join(' ').trim()
  if (classes !== '') setAttribute(host, 'class', classes)
  if (boxStyle !== '') setAttribute(host, 'style', `${boxStyle};${attributeOf(host, 'style') ?? ''}`)
  if (root === null) return
  // Only the entry's root is marked as the root.
  root.attrs = root.attrs.filter(({ name }) => name !== 'data-root')
  const length = attributeOf(root, 'data-duration')
  const isOpen = ['data-duration', 'data-end'].every((name) => attributeOf(host, name) === null)
  if (length !== null && isOpen) setAttribute(host, 'data-duration', length)
}
