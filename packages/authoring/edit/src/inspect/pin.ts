import { attributeOf, type Element, type LintFile, labelOf, lineOf } from '@vid/core/source-model'
import type { CommentPin, PlacedComment } from '../events.ts'
import { writtenText } from '../plan/text.ts'
import type { Located } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { type ElementFacts, elementAddressOf } from './inspect.ts'

/** Where a pinned element is in the sources. */
export type PinPlace = NonNullable<PlacedComment['place']>

/** Characters of a text by which an element is found again. */
const MAX_TEXT = 200

/** What identifies an element after its file has changed. */
export const pinOf = ({ address, attributes, tag, element, text }: ElementFacts): CommentPin => ({
  file: address.file,
  id: attributes.id ?? null,
  path: address.path,
  tag,
  element,
  text: text.value.slice(0, MAX_TEXT),
})

const isLike = (place: Located, { element, text }: CommentPin): boolean =>
  labelOf(place.element) === element && writtenText(place).slice(0, MAX_TEXT) === text

/** The element of a pin without an id: the same one at its path, else the only one like it, else what its path has now. */
const withoutId = (sources: Sources, file: LintFile, pin: CommentPin): Element | undefined => {
  const start = sources.treeOf(file).byPath.get(pin.path)?.sourceCodeLocation?.startOffset
  const atPath = file.elements.find(
    ({ sourceCodeLocation, tagName }) =>
      start !== undefined && sourceCodeLocation?.startOffset === start && tagName === pin.tag,
  )
  if (atPath && isLike({ file, element: atPath }, pin)) return atPath
  const alike = file.elements.filter((element) => isLike({ file, element }, pin))
  return alike.length === 1 ? alike[0] : atPath
}

/** Where the element of a pin is now; null where it is gone. */
export const findPinned = (sources: Sources, pin: CommentPin): PinPlace | null => {
  const file = sources.htmlFile(pin.file)
  if (!file) return null
  const withId = file.elements.filter((element) => pin.id !== null && attributeOf(element, 'id') === pin.id)
  const element = pin.id === null ? withoutId(sources, file, pin) : withId[0]
  if (!element?.sourceCodeLocation || withId.length > 1) return null
  const isName = pin.id !== null && !/\s/.test(pin.id)
  return {
    file: file.file,
    line: lineOf(element),
    target: isName ? `${file.file}#${pin.id}` : elementAddressOf(sources, file, element),
  }
}
