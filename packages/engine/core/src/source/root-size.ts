import { parseEntryDocument } from './entry-document.ts'
import { applyChanges, attributeChange, type TextChange } from './text-change.ts'

/** Size of a root in pixels, and the shape that its styles may ask for. */
export interface RootSize {
  readonly width: number
  readonly height: number
  /** Such as `9:16`; its attribute stays as it is if left out. */
  readonly shape?: string
}

/**
 * The source of a composition with another size on its root, in pixels; nothing else of the text changes. Undefined when
 * it has no root that is written in the text.
 */
export const withRootSize = (html: string, { width, height, shape }: RootSize): string | undefined => {
  const { root } = parseEntryDocument(html)
  if (!root) return undefined
  const changes: (TextChange | undefined)[] = [
    attributeChange(html, root, 'data-width', String(width)),
    attributeChange(html, root, 'data-height', String(height)),
    ...(shape === undefined ? [] : [attributeChange(html, root, 'data-shape', shape)]),
  ]
  return changes.includes(undefined) ? undefined : applyChanges(html, changes as TextChange[])
}
