import { attributeOf, childElements, type Element } from '../source/tree.ts'
import type { Edit } from './sizes.ts'
import type { ImportedFile } from './source.ts'

const ROOT_ATTRIBUTES = ['data-composition-id', 'data-width', 'data-height', 'data-duration', 'data-start']

const UNDRAWN = new Set(['script', 'style', 'link', 'meta', 'template', 'noscript'])

const rootsOf = ({ elements }: ImportedFile): Element[] =>
  elements.filter((element) => attributeOf(element, 'data-composition-id') !== null)

/** The `<meta>` that alone names the composition of a file. */
export const onlyMetaRoot = (source: ImportedFile): Element | undefined => {
  const roots = rootsOf(source)
  return roots.every(({ tagName }) => tagName === 'meta') ? roots[0] : undefined
}

/** The element of the entry that holds everything that is drawn: what a `<meta>` says of the root is said of it. */
export const stageOf = ({ file, elements }: ImportedFile): Element | undefined => {
  if (file !== 'index.html') return undefined
  const body = elements.find(({ tagName }) => tagName === 'body')
  const drawn = body ? childElements(body).filter(({ tagName }) => !UNDRAWN.has(tagName)) : []
  const [stage] = drawn
  const isStage = drawn.length === 1 && stage && attributeOf(stage, 'data-start') === null
  return isStage && stage.sourceCodeLocation?.startTag ? stage : undefined
}

const placesOf = (element: Element): { readonly name: string; readonly start: number; readonly end: number }[] =>
  ROOT_ATTRIBUTES.flatMap((name) => {
    const place = element.sourceCodeLocation?.attrs?.[name]
    return place ? [{ name, start: place.startOffset, end: place.endOffset }] : []
  })

/** Takes the attributes of a root from a `<meta>`: vid takes the first element that has them for the root. */
export const rootEdits = (source: ImportedFile): Edit[] => {
  const alone = onlyMetaRoot(source)
  const stage = alone && stageOf(source)
  if (alone && stage === undefined) return []
  const metas = rootsOf(source).filter(({ tagName }) => tagName === 'meta')
  const removed = metas.flatMap((meta) => placesOf(meta).map(({ start, end }) => ({ start, end, to: '' })))
  if (alone === undefined || stage === undefined) return removed
  const position = (stage.sourceCodeLocation?.startTag?.startOffset ?? 0) + 1 + stage.tagName.length
  const names = new Set(placesOf(stage).map(({ name }) => name))
  const moved = placesOf(alone)
    .filter(({ name }) => !names.has(name))
    .map(({ start, end }) => ` ${source.text.slice(start, end)}`)
  return [...removed, { start: position, end: position, to: moved.join('') }]
}
