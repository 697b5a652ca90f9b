import { type EditedRange, isEdited } from '@vid/analysis'
import type { CompositionFacts } from '@vid/kernel'
import type { PlacedParts, ReportedElement, ReportedError, ReportedLook, StepReport } from '../page-report.ts'

/** Everything that a page has reported of its frames; elements are positions in its list. */
export interface PageRecord {
  readonly elements: readonly ReportedElement[]
  readonly looks: readonly ReportedLook[]
  readonly steps: StepReport['steps']
  readonly errors: readonly ReportedError[]
  readonly timings: CompositionFacts['timings']
  readonly placed: Omit<PlacedParts, 'elements'>
}

/** Frames after an edited range that are followed too: what changes with its last frame is reported within these. */
export const SETTLING_FRAMES = 3

const keyOf = ({ key, tag, id }: ReportedElement) => `${key} ${tag} ${id}`

/** The numbers of the elements of one record in another. */
const renumber = (from: readonly ReportedElement[], to: readonly ReportedElement[]): ((number: number) => number) => {
  const numbers = new Map(to.map((element, number) => [keyOf(element), number]))
  const places = from.map((element) => numbers.get(keyOf(element)) ?? -1)
  return (number) => places[number] ?? -1
}

/** Which frames a record has from the page as it is now, after an edit. */
const nowOf = (ranges: readonly EditedRange[], begin: number) => {
  const settled = ranges.map(({ start, end }) => ({ start, end: end + SETTLING_FRAMES }))
  const isNow = (frame: number) => frame < begin || isEdited(settled, frame)
  // The frame before a range is where the page of now begins to be looked at.
  return { isNow, isNowSeen: (frame: number) => isNow(frame) || isEdited(settled, frame + 1) }
}

/**
 * The places of the elements that frames outside an edit show, and that a page, which was followed in the others, has not
 * reported.
 */
export const unreportedKeys = (
  { elements, looks, steps }: PageRecord,
  now: PageRecord,
  ranges: readonly EditedRange[],
  begin: number,
): readonly string[] => {
  const { isNow, isNowSeen } = nowOf(ranges, begin)
  const shown = [
    ...looks
      .filter(({ frame }) => !isNowSeen(frame))
      .flatMap(({ texts, images }) => [
        ...texts.flatMap(({ element, block }) => [element, block]),
        ...images.map(({ element }) => element),
      ]),
    ...steps.filter(([frame]) => !isNow(frame)).map(([, element]) => element),
  ]
  const reported = new Set(now.elements.map(keyOf))
  return [...new Set(shown)].flatMap((number) => {
    const element = elements[number]
    return element && !reported.has(keyOf(element)) ? [element.key] : []
  })
}

/**
 * The record of a composition after an edit: of the edited frames and those in `begin` as they are now, of all others as they
 * were. Undefined where the page shows an element in those that it has no more.
 */
export const joinRecords = (
  before: PageRecord,
  now: PageRecord,
  ranges: readonly EditedRange[],
  begin: number,
): PageRecord | undefined => {
  const of = renumber(before.elements, now.elements)
  const { isNow, isNowSeen } = nowOf(ranges, begin)
  const looks = before.looks
    .filter(({ frame }) => !isNowSeen(frame))
    .map(({ frame, texts, images }) => ({
      frame,
      texts: texts.map((text) => ({ ...text, element: of(text.element), block: of(text.block) })),
      images: images.map((image) => ({ ...image, element: of(image.element) })),
    }))
  const isLost = looks.some(
    ({ texts, images }) =>
      texts.some(({ element, block }) => element < 0 || block < 0) || images.some(({ element }) => element < 0),
  )
  if (isLost) return undefined
  const steps = before.steps
    .filter(([frame, element]) => !isNow(frame) && of(element) >= 0)
    .map(([frame, element, ...place]) => [frame, of(element), ...place] as const)
  const inOrder = (one: { readonly frame: number }, other: { readonly frame: number }) => one.frame - other.frame
  return {
    ...now,
    looks: [...looks, ...now.looks.filter(({ frame }) => isNowSeen(frame))].sort(inOrder),
    steps: [...steps, ...now.steps.filter(([frame]) => isNow(frame))].sort(([one], [other]) => one - other),
    errors: [
      ...before.errors.filter(({ frame }) => !isNow(frame)),
      ...now.errors.filter(({ frame }) => isNow(frame)),
    ].sort(inOrder),
    timings: [...before.timings.filter(({ frames: [start, end] }) => !isNow(start) && !isNow(end - 1)), ...now.timings],
  }
}
