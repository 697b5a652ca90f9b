import { commonDivisor, type ExactNumber, exactNumber, ratioOf, readRatio } from './ratio.ts'

/** A width and a height. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** What a scale may be, in words. */
export const SCALE_RULE = 'a factor from 0.05 to 8 such as 0.5, 2 or 1/3'

const MIN_SCALE = 0.05
const MAX_SCALE = 8

/** Pixels of the largest frame that H.264 has a level for, 8192 x 4352. */
const MAX_PIXELS = 139_264 * 256

/** Longest side of a picture that browsers draw. */
const MAX_SIDE = 16_384

/** What a ladder may be, in words. */
export const LADDER_RULE = 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'

/** Sizes of a ladder by the shorter side, the largest first; undefined when a value means none. */
const rungsIn = (value: unknown): readonly number[] | undefined => {
  const rungs = String(value)
    .split(',')
    .map((rung) => (/^\s*\d{2,4}\s*$/.test(rung) ? Number(rung) : Number.NaN))
  const isRung = (rung: number) => rung >= 64 && rung <= 4320 && rung % 2 === 0
  if (!rungs.every(isRung) || new Set(rungs).size < rungs.length) return undefined
  return rungs.sort((one, other) => other - one)
}

/** A ladder in one spelling, the largest size first; undefined when a value means none. */
export const readLadder = (value: unknown): string | undefined => rungsIn(value)?.join(',')

/** Sizes of a ladder by the shorter side in pixels, the largest first. */
export const ladderRungs = (ladder: string): readonly number[] => rungsIn(ladder) ?? []

/** The scale that a value of a setting means; undefined when it means none. */
export const readScale = (value: unknown): ExactNumber | undefined => {
  const ratio = readRatio(String(value))
  if (!ratio || ratio.num < MIN_SCALE * ratio.den || ratio.num > MAX_SCALE * ratio.den) return undefined
  return exactNumber(ratio)
}

const hasRoom = ({ width, height }: Size) => Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS

/** The size of the picture of a page at a scale; fractions of a pixel are left in. */
export const scaledSize = ({ width, height }: Size, scale: ExactNumber = 1): Size => {
  const { num, den } = ratioOf(scale)
  return { width: (width * num) / den, height: (height * num) / den }
}

/** The size of the page behind a picture at a scale. */
export const layoutSize = ({ width, height }: Size, scale: ExactNumber = 1): Size => {
  const { num, den } = ratioOf(scale)
  return { width: (width * den) / num, height: (height * den) / num }
}

/** Whether a picture can be made at a size: whole pixels, and no more than encoders and memory take. */
export const isPictureSize = (size: Size): boolean =>
  Number.isInteger(size.width) && Number.isInteger(size.height) && hasRoom(size)

/** The largest sizes of exactly the shape of a page that are not above a width, and the smallest that is not below it. */
export const sizesNear = (page: Size, width: number): Size[] => {
  const divisor = commonDivisor(page.width, page.height)
  const step = { width: page.width / divisor, height: page.height / divisor }
  const below = Math.max(1, Math.floor(width / step.width))
  return [below, below + 1].map((times) => ({ width: step.width * times, height: step.height * times })).filter(hasRoom)
}

/** The scale at which a page's picture has a size; undefined when the size has another shape. */
export const scaleTo = (page: Size, size: Size): ExactNumber | undefined =>
  page.width * size.height === page.height * size.width ? exactNumber({ num: size.width, den: page.width }) : undefined

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
