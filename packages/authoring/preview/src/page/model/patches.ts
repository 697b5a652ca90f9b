import type { ElementPatch } from '@vid/runtime'
import type { ClipFacts, Operation } from '../../edit-api.ts'

/** The times of a clip as they are known; null ends only the page knows. */
type Times = Pick<ClipFacts, 'start' | 'end' | 'element'>

const isMedia = ({ element }: Times) => /^<(?:video|audio)\b/.test(element)

const seconds = (value: number): string => String(Math.round(value * 1e6) / 1e6)

/** The DOM id that an operation names; undefined for one that names a place. */
export const idOf = (operation: Operation): string | undefined =>
  'target' in operation && typeof operation.target === 'string'
    ? operation.target.slice(operation.target.indexOf('#') + 1)
    : undefined

const timesPatch = (
  operation: Extract<Operation, { readonly op: 'move' | 'trim' }>,
  times: Times | undefined,
): Readonly<Record<string, string>> | undefined => {
  const { start, end } = times ?? { start: null, end: null }
  // What plays has more to it than its window.
  if (!times || start === null || end === null || isMedia(times)) return undefined
  const from = operation.op === 'trim' && operation.edge === 'end' ? end : start
  const to = operation.to ?? from + (operation.by ?? 0)
  if (operation.op === 'move') return { 'data-start': seconds(to) }
  if (operation.edge === 'end') return { 'data-duration': seconds(to - start) }
  return { 'data-start': seconds(to), 'data-duration': seconds(end - to) }
}

/**
 * What the page that is shown can do of an operation at once, before it is loaded as staged: nothing where that would
 * take more than the element itself.
 */
export const patchOf = (operation: Operation, times: Times | undefined): ElementPatch | undefined => {
  const id = idOf(operation)
  if (id === undefined) return undefined
  switch (operation.op) {
    case 'move':
    case 'trim': {
      const attributes = timesPatch(operation, times)
      return attributes && { id, attributes }
    }
    case 'remove':
      return { id, styles: { display: 'none' } }
    case 'text':
      return { id, text: operation.text }
    case 'style':
      // Without its own style, an element may have that of a rule.
      return operation.value === null ? undefined : { id, styles: { [operation.property]: operation.value } }
    default:
      return undefined
  }
}
