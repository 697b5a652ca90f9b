import { nameOf } from '../document/element-name.ts'
import { hasGeneratedContent, isContentFlat } from './generated-content.ts'
import { orderOf, type Plane } from './planes.ts'
import { type LevelOf, type Participant, participantsOf, planeOf } from './scene.ts'

/** Limit on elements of a space; a larger space is not sorted. */
const MAX_PARTICIPANTS = 100

interface Seen extends Participant {
  readonly plane: Plane
}

/** Elements of one parent, with constraints on their painting order. */
type Siblings = Map<HTMLElement, Set<HTMLElement>>

/** A possible painting order of the elements, close to the order without depth; undefined if there is none. */
const sort = (siblings: Siblings): HTMLElement[] | undefined => {
  const left = new Set(siblings.keys())
  const sorted: HTMLElement[] = []
  while (left.size > 0) {
    const next = [...left].find((element) => ![...(siblings.get(element) ?? [])].some((before) => left.has(before)))
    if (!next) return undefined
    left.delete(next)
    sorted.push(next)
  }
  return sorted
}

/** Records that one part of a space is painted before another; false if that is impossible. */
const note = (groups: Map<HTMLElement, Siblings>, space: HTMLElement, before: Seen, after: Seen): boolean => {
  let shared = 0
  while (before.path[shared] !== undefined && before.path[shared] === after.path[shared]) shared += 1
  const earlier = before.path[shared]
  const later = after.path[shared]
  // An element's own content is painted before its children.
  if (!later) return false
  if (!earlier) return true
  groups
    .get(after.path[shared - 1] ?? space)
    ?.get(later)
    ?.add(earlier)
  return true
}

const groupsOf = (space: HTMLElement, seen: readonly Seen[]): Map<HTMLElement, Siblings> => {
  const groups = new Map<HTMLElement, Siblings>()
  for (const { path } of seen)
    for (const [index, element] of path.entries()) {
      const parent = path[index - 1] ?? space
      const siblings = groups.get(parent) ?? new Map<HTMLElement, Set<HTMLElement>>()
      if (!siblings.has(element)) siblings.set(element, new Set())
      groups.set(parent, siblings)
    }
  return groups
}

/** The facts about the elements of a space that determine their order, apart from their places. */
export interface OrderFacts {
  /** Whether only the hidden back of an element faces the viewer. */
  isHidden(element: Element): boolean
  readonly levelOf: LevelOf
}

/** The visible planes of a space, or the reason why they are unknown. */
const lookInto = (space: HTMLElement, { isHidden, levelOf }: OrderFacts): Seen[] | string => {
  const parts = participantsOf(space, levelOf)
  if (parts.length > MAX_PARTICIPANTS) return `more than ${MAX_PARTICIPANTS} elements in ${nameOf(space)}`
  const seen: Seen[] = []
  for (const part of parts) {
    const holder = part.path.at(-2) ?? space
    if (!isContentFlat(holder)) return `${nameOf(holder)} with content of its style that is turned or has a level`
    const plane = planeOf(part.element)
    if (!plane) return `${nameOf(part.element)} whose place is not known`
    if (!isHidden(part.element)) seen.push({ ...part, plane })
  }
  return seen
}

/**
 * The elements of a space that must be painted in order of depth, with their ranks, or the reason why that is
 * impossible. Elements that are already in order are left out.
 */
export const paintingOrder = (space: HTMLElement, facts: OrderFacts): ReadonlyMap<HTMLElement, number> | string => {
  const seen = lookInto(space, facts)
  if (typeof seen === 'string') return seen
  const groups = groupsOf(space, seen)
  for (const [index, first] of seen.entries())
    for (const second of seen.slice(index + 1)) {
      const order = orderOf(first.plane, second.plane)
      if (order === undefined) return `${nameOf(first.element)} and ${nameOf(second.element)} that cross`
      const isPossible =
        order === 0 || (order === 1 ? note(groups, space, first, second) : note(groups, space, second, first))
      if (!isPossible) return `${nameOf(second.element)} behind ${nameOf(first.element)}, which holds it`
    }
  const ranks = new Map<HTMLElement, number>()
  for (const [parent, siblings] of groups) {
    const sorted = sort(siblings)
    if (!sorted) return `${nameOf(parent)} whose children cover each other in turn`
    const written = [...siblings.keys()]
    // Without ranks, content of a style would be painted after the children.
    if (hasGeneratedContent(parent) || sorted.some((element, index) => element !== written[index]))
      for (const [index, element] of sorted.entries()) ranks.set(element, index + 1)
  }
  return ranks
}
