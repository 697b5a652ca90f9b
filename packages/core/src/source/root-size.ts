import { parseEntryDocument } from './entry-document.ts'
import type { Element } from './tree.ts'

const SIDES = { width: 'data-width', height: 'data-height' } as const

/** A change of a text: what stands from `start` to `end` is replaced. */
interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What writes one attribute of an element into its source. */
const changeOf = (html: string, root: Element, name: string, value: number): Change | undefined => {
  const location = root.sourceCodeLocation
  if (!location) return undefined
  const tag = 'startTag' in location && location.startTag ? location.startTag : location
  const span = location.attrs?.[name]
  const attribute = `${name}="${value}"`
  if (span) return { start: span.startOffset, end: span.endOffset, text: attribute }
  const afterName = tag.startOffset + html.slice(tag.startOffset).search(/[\s/>]/)
  return { start: afterName, end: afterName, text: ` ${attribute}` }
}

/**
 * The source of a composition with another size on its root, in pixels; nothing else of the text changes. Undefined when
 * it has no root that is written in the text.
 */
export const withRootSize = (
  html: string,
  size: { readonly width: number; readonly height: number },
): string | undefined => {
  const { root } = parseEntryDocument(html)
  if (!root) return undefined
  const changes = (['width', 'height'] as const).map((side) => changeOf(html, root, SIDES[side], size[side]))
  if (changes.some((change) => change === undefined)) return undefined
  // From the end, so that the places of the others stay.
  return (changes as Change[])
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: attribute }) => text.slice(0, start) + attribute + text.slice(end), html)
}
