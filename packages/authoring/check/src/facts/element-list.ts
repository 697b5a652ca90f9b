import type { SourceElement } from '@vid/core'
import type { CompositionElement } from '@vid/kernel'
import { groupBy } from '../group-by.ts'
import type { ReportedElement } from '../page-report.ts'

/** An element of a composition, with the rules that the page ignores for it. */
export interface ListedElement extends CompositionElement {
  readonly ignores: ReportedElement['ignores']
}

const overlap = (one: readonly string[], other: readonly string[]) => one.filter((name) => other.includes(name)).length

/** How well an element of the source fits one of the page; 0 where it cannot be the same. */
const fitOf = (source: SourceElement, { tag, id, classes, text }: ReportedElement): number => {
  if (source.tag !== tag || ((source.id ?? '') !== '') !== (id !== '')) return 0
  if (source.id !== null && source.id !== '' && source.id !== id) return 0
  const isText = source.text !== '' && text.startsWith(source.text.slice(0, 60))
  const shared = overlap(source.classes, classes)
  if (id === '' && !isText && source.classes.length > 0 && shared === 0) return 0
  return 1 + (id === '' ? 0 : 8) + (isText ? 4 : source.text === '' || text === '' ? 0 : -0.5) + shared
}

/** Finds the place of an element of the page in the source; null where none fits well, or several fit as well. */
const createPlaces = (sources: readonly SourceElement[]) => {
  const byTag = groupBy(sources, ({ tag }) => tag)
  // Thousands of clips may be alike, and be compared with as many elements of the source.
  const placesOf = new Map<string, Pick<CompositionElement, 'file' | 'line'>>()
  const find = (element: ReportedElement): Pick<CompositionElement, 'file' | 'line'> => {
    const candidates = (byTag.get(element.tag) ?? []).map((source) => ({ source, fit: fitOf(source, element) }))
    const best = Math.max(0, ...candidates.map(({ fit }) => fit))
    const fits = candidates.filter(({ fit }) => fit === best)
    const [first] = fits
    const isSure = first !== undefined && best > 0 && (fits.length === 1 || best >= 5)
    return isSure ? { file: first.source.file, line: first.source.line } : { file: null, line: null }
  }
  return (element: ReportedElement): Pick<CompositionElement, 'file' | 'line'> => {
    const { tag, id, classes, text } = element
    const key = JSON.stringify([tag, id, classes, text])
    const place = placesOf.get(key) ?? find(element)
    placesOf.set(key, place)
    return place
  }
}

/** The elements of a composition, of all pages that reported some: an element stands at the same place in each. */
export const createElementList = (sources: readonly SourceElement[]) => {
  const places = createPlaces(sources)
  const list: ListedElement[] = []
  const byKey = new Map<string, number>()
  const positionOf = (element: ReportedElement): number => {
    // Another element may come to stand at the place of one that was removed.
    const key = `${element.key} ${element.tag} ${element.id}`
    const position = byKey.get(key)
    if (position !== undefined) return position
    byKey.set(key, list.length)
    const { selector, tag, text, clip, ignores } = element
    list.push({ selector, tag, text, clip, ignores, ...places(element) })
    return list.length - 1
  }
  return {
    list: list as readonly ListedElement[],
    /** The numbers of one page, as positions in the list. */
    createPage() {
      const positions: number[] = []
      return {
        add(elements: readonly ReportedElement[]) {
          for (const element of elements) positions.push(positionOf(element))
        },
        of: (number: number): number => positions[number] ?? -1,
      }
    },
  }
}

export type ElementList = ReturnType<typeof createElementList>
