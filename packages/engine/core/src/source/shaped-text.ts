import { isPictureSize, readShapes, shapedSize, shapeList } from '@vid/protocol'
import { type ElementPlace, fail } from '../errors.ts'
import { parseEntryDocument } from './entry-document.ts'
import { requireSide } from './parse.ts'
import { withRootSize } from './root-size.ts'
import { attributeOf, type Element, labelOf, lineOf } from './tree.ts'

/** The shapes that a root declares; undefined without a declaration, refused if they are no shapes. */
export const declaredShapes = (root: Element, place: ElementPlace): readonly string[] | undefined => {
  const text = attributeOf(root, 'data-shapes')
  if (text === null) return undefined
  const shapes = readShapes(text)
  if (shapes === undefined) throw fail('VID_SHAPES_DECLARED', { ...place, value: text })
  return shapeList(shapes)
}

/**
 * The source of a composition in a shape: its root has the size of the shape and a `data-shape`. A text without a root
 * stays as it is; a shape that the root does not declare is refused.
 */
export const shapedText = (
  html: string,
  { file, shape }: { readonly file: string; readonly shape: string },
): string => {
  const { root } = parseEntryDocument(html)
  if (root === null) return html
  const place = { element: labelOf(root), file, line: lineOf(root) }
  const page = {
    width: requireSide(root, 'data-width', place),
    height: requireSide(root, 'data-height', place),
  }
  const shapes = declaredShapes(root, place)
  if (shapes && !shapes.includes(shape)) throw fail('VID_SHAPE_UNDECLARED', { ...place, shape, shapes })
  const size = shapedSize(page, shape)
  const text = isPictureSize(size) ? withRootSize(html, { ...size, shape }) : undefined
  if (text === undefined) throw fail('VID_SHAPE_UNFIT', { ...place, shape, ...size })
  return text
}
