import {
  attributeOf,
  declarationProblems,
  type Element,
  type LintFile,
  labelOf,
  lineOf,
  parseDeclarations,
  parseExpression,
  type ScriptNode,
  writeAttributeValue,
} from '@vid/core/source-model'
import { fail } from '../errors.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addEdit, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { mapValue } from '../patch/reference-map.ts'
import type { Located } from '../source/locate.ts'
import { type OperationContext, refuse } from './context.ts'

const DECLARES = 'data-composition-variables'

/** The element of a file that declares variables, as the composition is read: a page, its root, or the template around it. */
const declarerOf = (file: LintFile): Element | undefined =>
  file.declarationsJson === null
    ? undefined
    : file.elements.find((element) => attributeOf(element, DECLARES) === file.declarationsJson)

const declares = (file: LintFile, id: string): boolean =>
  parseDeclarations(file.declarationsJson).some((declaration) => declaration.id === id)

/** The file that declares a variable: the one that is named, else the entry, else the only other. */
const findDeclarer = ({ sources }: OperationContext, { id, file }: OperationOf<'variable'>): LintFile => {
  const { files } = sources.project
  const declaring = files.filter((other) => declares(other, id))
  const named = file === undefined ? declaring : declaring.filter((other) => other.file === file)
  const [first] = named
  if (first && (named.length === 1 || first.isEntry)) return first
  if (named.length > 1)
    throw fail('VID_EDIT_AMBIGUOUS', { target: `The variable "${id}"`, places: named.map((other) => other.file) })
  const ids = files.flatMap((other) => parseDeclarations(other.declarationsJson).map((declaration) => declaration.id))
  throw refuse(
    'variable',
    `"${id}"`,
    file === undefined ? 'no file declares it' : `${file} does not declare it`,
    ids.length > 0 ? `Declared: ${ids.join(', ')}.` : 'Declare it in data-composition-variables first.',
  )
}

/** The node of a declaration's default in the JSON of all. */
const defaultIn = (json: string, id: string): ScriptNode | undefined => {
  const list = parseExpression(json)
  const keyOf = ({ key }: ScriptNode) => key?.value
  const declaration = (list.elements ?? []).find((item) =>
    item?.properties?.some((property) => keyOf(property) === 'id' && (property.value as ScriptNode).value === id),
  )
  return declaration?.properties?.find((property) => keyOf(property) === 'default')?.value as ScriptNode | undefined
}

/** A value of a declared type, from the text of a command line or as it is. */
const valueFor = (before: unknown, value: string | number | boolean): unknown => {
  if (typeof value !== 'string' || typeof before === 'string') return value
  if (typeof before === 'number') return value.trim() === '' ? value : Number(value)
  return value === 'true' ? true : value === 'false' ? false : value
}

/** Hosts that pass a value for a variable of a file, which beats its default. */
export const passingHosts = ({ sources }: OperationContext, file: LintFile, id: string): readonly Located[] =>
  sources.project.hosts.flatMap((host) => {
    const from = sources.htmlFile(host.from)
    const json = attributeOf(host.element, 'data-variable-values')
    if (host.file !== file.file || !from || json === null) return []
    try {
      const values: unknown = JSON.parse(json)
      return typeof values === 'object' && values !== null && Object.hasOwn(values, id)
        ? [{ file: from, element: host.element }]
        : []
    } catch {
      return [] // vid lint reports it.
    }
  })

/** Changes the default of a variable that a file declares. */
export const setDefault = (
  plan: Plan,
  context: OperationContext,
  file: LintFile,
  id: string,
  value: string | number | boolean,
): void => {
  const html = context.sources.textOf(file.file) ?? ''
  const element = declarerOf(file)
  const map = element && mapValue(html, element, DECLARES)
  const json = file.declarationsJson ?? ''
  const node = defaultIn(json, id)
  const declaration = parseDeclarations(json).find((other) => other.id === id)
  if (!element || !node || !declaration)
    throw refuse('variable', `"${id}"`, `its declaration in ${file.file} cannot be read`, 'Run vid lint.')
  const after = JSON.stringify(valueFor(declaration.default, value))
  const edited = json.slice(0, node.start) + after + json.slice(node.end)
  const [problem] = declarationProblems(edited).filter(({ variableId }) => variableId === id)
  if (problem) throw refuse('variable', `"${id}"`, problem.reason, 'Choose a value that fits its declaration.')
  if (declaration.default === JSON.parse(after)) return
  // Without quotes, or written in a way that cannot be followed, the whole value is written again.
  const isMapped = map !== undefined && map.quote !== ''
  addEdit(
    plan,
    file.file,
    isMapped
      ? {
          kind: 'value',
          element,
          name: DECLARES,
          value: edited,
          start: map.at(node.start),
          end: map.at(node.end),
          text: writeAttributeValue(after, map.quote),
        }
      : { kind: 'attribute', element, name: DECLARES, value: edited },
  )
  plan.changes.push({
    file: file.file,
    line: lineOf(element),
    text: `The default of "${id}" is ${after} instead of ${JSON.stringify(declaration.default)}.`,
  })
  for (const host of passingHosts(context, file, id))
    addNote(plan, {
      kind: 'variable',
      file: host.file.file,
      line: lineOf(host.element),
      text: `${labelOf(host.element)} passes a value of its own for "${id}".`,
    })
}

/** Plans `variable`. */
export const planVariable = (operation: OperationOf<'variable'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  setDefault(plan, context, findDeclarer(context, operation), operation.id, operation.value)
  return plan
}

/** Changes the variable that an element shows, in place of the element; false for an element that shows none. */
export const setBound = (
  plan: Plan,
  context: OperationContext,
  { file, element }: Located,
  binding: string,
  value: string,
): boolean => {
  const id = attributeOf(element, binding)?.trim()
  if (!id) return false
  const [host] = passingHosts(context, file, id)
  if (host)
    throw fail('VID_EDIT_BOUND', {
      element: labelOf(element),
      variable: id,
      place: `${host.file.file}:${lineOf(host.element)}`,
    })
  if (!declares(file, id)) {
    const scope = file.elements.find(
      (other) => attributeOf(other, DECLARES)?.includes(JSON.stringify(id)) && other !== declarerOf(file),
    )
    if (!scope) return false
    throw fail('VID_EDIT_BOUND', { element: labelOf(element), variable: id, place: `${file.file}:${lineOf(scope)}` })
  }
  setDefault(plan, context, file, id, value)
  addNote(plan, {
    kind: 'variable',
    file: file.file,
    line: lineOf(element),
    text: `${labelOf(element)} shows the variable "${id}", so its default is changed.`,
  })
  return true
}
