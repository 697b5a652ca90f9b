import { attributeOf, childElements, type Element, labelOf, lineOf } from '@vid/core/source-model'
import type { OperationOf } from '../operations/operation.ts'
import type { InsertEdit } from '../patch/edit.ts'
import { addNote, type Plan } from '../patch/plan.ts'
import { type ClipScope, clipsOf, scopesIn, secondsText } from '../source/clips.ts'
import { type Located, locate } from '../source/locate.ts'
import { type OperationContext, refuse, requireInner } from './context.ts'

/** Elements that cannot hold a clip: their content is read in another way, or an element in it would end them. */
const NO_ROOM =
  /^(?:script|style|template|textarea|select|noscript|iframe|video|audio|canvas|object|xmp|plaintext|html|head|title|p|table|thead|tbody|tfoot|tr|colgroup|option|area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/

/** Elements that follow the clips of a composition and are never drawn. */
const TRAILING = /^(?:script|style|link|template|noscript|meta)$/

const HTML = 'http://www.w3.org/1999/xhtml'

/** Where an element is inserted. */
export interface InsertPlace extends Located, Pick<InsertEdit, 'side'> {
  /** The composition that its time counts from. */
  readonly scope: ClipScope
  readonly parent: Element
}

const isElement = (node: Element['parentNode']): node is Element => node !== null && 'tagName' in node

/** The elements from one upwards. */
function* upwards(element: Element): Generator<Element> {
  for (let node: Element['parentNode'] = element; isElement(node); node = node.parentNode) yield node
}

const targetOf = (context: OperationContext, { target }: OperationOf<'insert'>): Located => {
  if (target !== undefined) return locate(context.sources, target)
  const { entry } = context.sources
  const file = context.sources.htmlFile(entry)
  if (file?.root) return { file, element: file.root }
  throw refuse('insert', entry, 'it has no composition', 'Name the element that is to hold the new one.')
}

const roomProblem = (parent: Element): readonly [reason: string, advice: string] | undefined => {
  const other = 'Choose another element, such as the composition itself.'
  if (parent.namespaceURI !== HTML || NO_ROOM.test(parent.tagName))
    return [`a <${parent.tagName}> cannot hold a clip`, other]
  const src = attributeOf(parent, 'data-composition-src')
  if (src !== null) return [`its content comes from ${src}`, 'Insert into an element of that file.']
  const variable = attributeOf(parent, 'data-var-text')
  return variable === null ? undefined : [`its content is the variable "${variable}"`, other]
}

/** The place that an operation names; VID_EDIT_REFUSED where no clip can be. */
export const insertPlace = (context: OperationContext, operation: OperationOf<'insert'>): InsertPlace => {
  const { place = 'last' } = operation
  const { file, element } = targetOf(context, operation)
  const isBeside = place === 'before' || place === 'after'
  if (isBeside && operation.target !== undefined) requireInner(context, 'insert', operation.target)
  const parent = isBeside ? element.parentNode : element
  const problem = isElement(parent) ? roomProblem(parent) : undefined
  if (problem) throw refuse('insert', labelOf(parent as Element), problem[0], problem[1])
  const scopes = scopesIn(file)
  const scope = isElement(parent)
    ? [...upwards(parent)].flatMap((outer) => scopes.find(({ holder }) => holder === outer) ?? [])[0]
    : undefined
  if (!scope || !isElement(parent))
    throw refuse('insert', labelOf(element), 'it is not part of a composition', 'Choose an element inside of one.')
  if (isBeside) return { file, element, side: place, scope, parent }
  const children = childElements(parent).filter(({ tagName }) => !TRAILING.test(tagName))
  const sibling = place === 'first' ? children[0] : children.at(-1)
  if (!sibling) return { file, element: parent, side: 'end', scope, parent }
  return { file, element: sibling, side: place === 'first' ? 'before' : 'after', scope, parent }
}

/** Says what keeps a new element from being shown as long as its own attributes say. */
export const noteHidden = (
  plan: Plan,
  { file, parent, scope }: InsertPlace,
  name: string,
  { start, end }: { readonly start: number; readonly end: number | null },
): void => {
  const clips = new Map(clipsOf(scope).map((clip) => [clip.element, clip]))
  for (const outer of upwards(parent)) {
    if (outer === scope.holder) return
    const clip = clips.get(outer)
    if (!clip || clip.start === null) continue
    const isInside = start >= clip.start && (clip.end === null || (end !== null && end <= clip.end))
    const until = clip.end === null ? '' : ` to ${secondsText(clip.end)} s`
    if (!isInside)
      addNote(plan, {
        kind: 'structure',
        file: file.file,
        line: lineOf(outer),
        text: `${name} is shown only while ${labelOf(outer)} is, from ${secondsText(clip.start)} s${until}.`,
      })
  }
}
