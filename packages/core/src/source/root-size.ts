import { parseEntryDocument } from './entry-document.ts'
import { applyChanges, attributeChange, type TextChange } from './text-change.ts'

/**
 * The source of a composition with another size on its root, in pixels; nothing else of the text changes. Undefined when
 * it has no root that is written in the text.
 */
export const withRootSize = (
  html: string,
  { width, height }: { readonly width: number; readonly height: number },
): string | undefined => {
  const { root } = parseEntryDocument(html)
  if (!root) return undefined
  const changes: (TextChange | undefined)[] = [
    attributeChange(html, root, 'data-width', String(width)),
    attributeChange(html, root, 'data-height', String(height)),
  ]
  return changes.includes(undefined) ? undefined : applyChanges(html, changes as TextChange[])
}
