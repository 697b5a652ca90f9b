import type { Size } from './picture-size.ts'

/** What a list of shapes may be, in words. */
export const SHAPES_RULE = 'shapes of whole numbers up to 100 with commas such as 16:9,9:16,1:1, each once, at most 8'

/** What one shape may be, in words. */
export const SHAPE_RULE = 'a shape of whole numbers up to 100 such as 9:16'

const MAX_SHAPES = 8

const SHAPE = /^(?:[1-9]\d?|100):(?:[1-9]\d?|100)$/

/** Shapes of a list, in their order; undefined when a value is no such list. */
const shapesIn = (value: unknown): readonly string[] | undefined => {
  const shapes = String(value)
    .split(',')
    .map((shape) => shape.trim())
  const isList = shapes.length <= MAX_SHAPES && shapes.every((shape) => SHAPE.test(shape))
  return isList && new Set(shapes).size === shapes.length ? shapes : undefined
}

/** A list of shapes in one spelling, in its order; undefined when a value means none. */
export const readShapes = (value: unknown): string | undefined => shapesIn(value)?.join(',')

/** One shape; undefined when a value means none, or several. */
export const readShape = (value: unknown): string | undefined => {
  const shapes = shapesIn(value)
  return shapes?.length === 1 ? shapes[0] : undefined
}

/** The shapes of a setting; none without it. */
export const shapeList = (shapes: string | undefined): readonly string[] =>
  shapes === undefined ? [] : (shapesIn(shapes) ?? [])

/** A shape as a part of a file's name: `9x16` for `9:16`. */
export const shapeName = (shape: string): string => shape.replace(':', 'x')

const evenNear = (length: number) => Math.max(2, 2 * Math.round(length / 2))

/**
 * The size of a page in a shape: the shorter side is that of the page, and both sides are even. A page that has the
 * shape already keeps its size.
 */
export const shapedSize = (page: Size, shape: string): Size => {
  const [across = 1, down = 1] = shape.split(':').map(Number)
  if (page.width * down === page.height * across) return { width: page.width, height: page.height }
  const shorter = evenNear(Math.min(page.width, page.height))
  const longer = evenNear((shorter * Math.max(across, down)) / Math.min(across, down))
  return across < down ? { width: shorter, height: longer } : { width: longer, height: shorter }
}
