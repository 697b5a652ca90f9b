import { isVidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Operation, Target } from '../operations/operation.ts'
import { clipOf, type SourceClip, secondsText } from '../source/clips.ts'
import { type Located, locate, targetText } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { checkTogether } from './contradictions.ts'
import { carriersFirst } from './move-order.ts'

/** Where elements of a text begin after a change of it, by where they began before; undefined for one that is gone. */
export type FollowOffset = (offset: number) => number | undefined

/** Operations of one call, whose addresses are those of the sources before it. */
export interface AddressedOperations {
  /** Numbers of the operations in the order in which they are made. */
  readonly order: readonly number[]
  /** An operation with the address that its element has in the sources now. */
  at(index: number, sources: Sources): Operation
  /** Takes the addresses of a file along with a change of it. */
  follow(file: string, offsetAfter: FollowOffset): void
}

const targetOf = (operation: Operation): Target | undefined => ('target' in operation ? operation.target : undefined)

/** The id that an operation gives an element, which later ones of its call may name. */
const namedBy = (operation: Operation): string | null => {
  if (operation.op === 'set') return operation.name.toLowerCase() === 'id' ? operation.value : null
  return ('id' in operation && operation.op !== 'variable' ? operation.id : undefined) ?? null
}

/** The place of an operation's element; null without an element, and for one that an earlier operation makes or names. */
const placeOf = (operation: Operation, sources: Sources, earlier: readonly Operation[]): Located | null => {
  const target = targetOf(operation)
  if (target === undefined) return null
  try {
    return locate(sources, target)
  } catch (thrown) {
    const isNamed =
      typeof target === 'string' && earlier.some((other) => namedBy(other) === target.slice(target.indexOf('#') + 1))
    if (isNamed && isVidError(thrown) && thrown.code !== 'VID_EDIT_AMBIGUOUS') return null
    throw thrown
  }
}

/** An operation whose distance counts from where its clip is now, and no longer from where others have taken it. */
const withTime = (operation: Operation, clip: SourceClip | undefined): Operation => {
  if ((operation.op !== 'move' && operation.op !== 'trim') || operation.by === undefined || !clip) return operation
  const { by, ...others } = operation
  const time = operation.op === 'trim' && operation.edge === 'end' ? clip.end : clip.start
  return time === null ? operation : { ...others, to: Number(secondsText(time + by)) }
}

/** Numbers of operations, with the moves of clips that take others along before the moves of these. */
const orderOf = (operations: readonly Operation[], clips: readonly (SourceClip | undefined)[]): readonly number[] => {
  const moves = clips.flatMap((clip, index) => (clip && operations[index]?.op === 'move' ? [clip] : []))
  const sorted = carriersFirst(moves).map((clip) => clips.indexOf(clip))
  return operations.map((operation, index) =>
    clips[index] && operation.op === 'move' ? (sorted.shift() ?? index) : index,
  )
}

/** Finds the elements that operations of one call are about; VID_EDIT_CONTRADICTION where not all can be made. */
export const addressOperations = (operations: readonly Operation[], sources: Sources): AddressedOperations => {
  if (operations.length === 1) return { order: [0], at: () => operations[0] as Operation, follow: () => {} }
  const places = operations.map((operation, index) => placeOf(operation, sources, operations.slice(0, index)))
  const idle = checkTogether(operations, places)
  const clips = places.map((place) => (place ? clipOf(place.file, place.element) : undefined))
  const timed = operations.map((operation, index) => withTime(operation, clips[index]))
  const offsets = places.map((place) => place?.element.sourceCodeLocation?.startOffset)
  return {
    order: orderOf(operations, clips).filter((index) => !idle.has(index)),
    at(index, now) {
      const operation = timed[index] as Operation
      const place = places[index]
      if (!place) return operation
      const { file } = place.file
      const offset = offsets[index]
      const page = now.htmlFile(file)
      const tree = page && now.treeOf(page)
      const element = offset === undefined ? undefined : tree?.byStart.get(offset)
      const path = element && tree?.paths.get(element)
      if (path === undefined)
        throw fail('VID_EDIT_CONTRADICTION', {
          operations: [index + 1],
          reason: `another one removes ${targetText(targetOf(operation) ?? file)}`,
        })
      return { ...operation, target: { file, path, digest: now.digestOf(file) ?? '' } } as Operation
    },
    follow(file, offsetAfter) {
      for (const [index, place] of places.entries()) {
        const offset = offsets[index]
        if (place?.file.file === file && offset !== undefined) offsets[index] = offsetAfter(offset)
      }
    },
  }
}
