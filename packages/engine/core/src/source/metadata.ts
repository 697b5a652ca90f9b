import { type Declaration, parseDeclarations } from '../variables/declarations.ts'
import { parseEntryDocument } from './entry-document.ts'
import { readNumber } from './numbers.ts'
import { readDeclarationsJson, readLength, readSide } from './parse.ts'
import { attributeOf } from './tree.ts'

/** Metadata of a composition from its source text alone; null where the text has no usable value. */
export interface CompositionMetadata {
  readonly id: string | null
  readonly width: number | null
  readonly height: number | null
  /** Seconds. */
  readonly duration: number | null
  readonly variables: readonly Declaration[]
}

/** Reads a composition's metadata, also from a file that is meant to be embedded; never throws. */
export const extractCompositionMetadata = (html: string): CompositionMetadata => {
  const { document, root } = parseEntryDocument(html)
  const duration = root && readNumber(readLength(root))
  return {
    id: root && attributeOf(root, 'data-composition-id'),
    width: root && readSide(root, 'data-width'),
    height: root && readSide(root, 'data-height'),
    duration: duration !== null && duration > 0 ? duration : null,
    variables: parseDeclarations(readDeclarationsJson(document, root)),
  }
}
