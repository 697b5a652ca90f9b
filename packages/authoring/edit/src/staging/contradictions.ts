import { labelOf } from '@vid/core/source-model'
import { fail } from '../errors.ts'
import type { Operation } from '../operations/operation.ts'
import { isElementWithin, type Located } from '../source/locate.ts'

/** What operations set by other attributes than their own. */
const BY_ATTRIBUTE: Readonly<Record<string, string>> = {
  'data-start': 'start',
  'data-duration': 'end',
  'data-end': 'end',
  'data-track-index': 'track',
  'data-layer': 'track',
  'data-volume': 'volume',
  src: 'source',
}

/** What an operation sets of its element, in words. */
const partsOf = (operation: Operation): readonly string[] => {
  switch (operation.op) {
    case 'move':
      return ['start']
    case 'trim':
      return [operation.edge]
    case 'split':
      return ['start', 'end']
    case 'set':
      return [BY_ATTRIBUTE[operation.name.toLowerCase()] ?? `attribute "${operation.name.toLowerCase()}"`]
    case 'style':
      return [`style "${operation.property}"`]
    case 'media':
      return ['source']
    case 'order':
    case 'track':
    case 'text':
    case 'volume':
    case 'fade':
      return [operation.op]
    case 'variable':
      return [`variable "${operation.id}" of ${operation.file ?? 'the composition'}`]
    case 'size':
      return [`size of ${operation.file ?? 'the composition'}`]
    default:
      return []
  }
}

/** Which operations of one call are about an element that another one of them removes; null for the others. */
const removersOf = (
  operations: readonly Operation[],
  places: readonly (Located | null)[],
): readonly (number | null)[] =>
  places.map((place, index) => {
    const remover = places.findIndex(
      (outer, number) =>
        operations[number]?.op === 'remove' && place && outer && isElementWithin(place, outer) && number !== index,
    )
    return remover < 0 ? null : remover
  })

/**
 * Checks that operations of one call can all be made, whatever their order; VID_EDIT_CONTRADICTION otherwise. Returns those
 * that have nothing left to do: removals of what another one removes.
 */
export const checkTogether = (
  operations: readonly Operation[],
  places: readonly (Located | null)[],
): ReadonlySet<number> => {
  const idle = new Set<number>()
  for (const [index, remover] of removersOf(operations, places).entries()) {
    const place = places[index]
    if (remover === null || !place) continue
    if (operations[index]?.op !== 'remove')
      throw fail('VID_EDIT_CONTRADICTION', {
        operations: [index + 1, remover + 1],
        reason: `one removes ${labelOf(place.element)}, which the other changes`,
      })
    // Of two removals of the same element, the first is made.
    const isSame = places[remover]?.element === place.element
    if (!isSame || remover < index) idle.add(index)
  }
  const setters = new Map<string, number>()
  for (const [index, operation] of operations.entries()) {
    const place = places[index]
    // An element that an earlier operation makes is changed after it.
    if (!place && 'target' in operation) continue
    for (const part of partsOf(operation)) {
      const key = `${place ? `${place.file.file} ${place.element.sourceCodeLocation?.startOffset}` : ''} ${part}`
      const first = setters.get(key)
      if (first !== undefined)
        throw fail('VID_EDIT_CONTRADICTION', {
          operations: [first + 1, index + 1],
          reason: `both set the ${part}${place ? ` of ${labelOf(place.element)}` : ''}`,
        })
      setters.set(key, index)
    }
  }
  return idle
}
