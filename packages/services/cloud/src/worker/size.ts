import { type CloudRender, cloudSides } from '@vid/client/contract'
import { isPictureSize, type Size } from '@vid/protocol'
import { fail } from '../errors.ts'

/** Aspect ratios, each as the smallest integer sides. */
const SHAPES = {
  '16:9': { width: 16, height: 9 },
  '9:16': { width: 9, height: 16 },
  '1:1': { width: 1, height: 1 },
} as const

const textOf = ({ width, height }: Size) => `${width}x${height}`
const shorterOf = ({ width, height }: Size) => Math.min(width, height)

/** The sizes with which a composition is rendered. */
export interface ChosenSize {
  /** Size of the page if the composition is laid out again; if left out, the composition keeps its own. */
  readonly layout?: Size
  /** Size of the picture in pixels. */
  readonly picture: Size
}

/** The page with an aspect ratio whose shorter side is as close as possible to that of another page. */
const layOut = (page: Size, shape: Size): Size => {
  const steps = Math.max(1, Math.round(shorterOf(page) / shorterOf(shape)))
  return { width: shape.width * steps, height: shape.height * steps }
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

/** Pages of nearly this size whose pictures have integer sides when the shorter side is `side`. */
const pagesNear = (page: Size, side: number): Size[] => {
  const shorter = shorterOf(page)
  const step = shorter / commonDivisor(shorter, side)
  const below = Math.floor(Math.max(page.width, page.height) / step) * step
  return [below, below + step]
    .filter((longer) => longer >= shorter)
    .map((longer) =>
      page.width >= page.height ? { width: longer, height: shorter } : { width: shorter, height: longer },
    )
    .filter((near) => isPictureSize(pictureOf(near, side)))
}

/** The picture of a page when its shorter side is `side` pixels. */
const pictureOf = (page: Size, side: number): Size => {
  const longer = (Math.max(page.width, page.height) * side) / shorterOf(page)
  return page.width >= page.height ? { width: longer, height: side } : { width: side, height: longer }
}

/**
 * Chooses the sizes of a render. The resolution sets the shorter side of the picture. A composition with the requested
 * aspect ratio, or any composition if none is requested, is scaled; others are laid out again. Fails if the longer side
 * would not be a whole number of pixels.
 */
export const chooseSize = (
  size: Size,
  { resolution, aspect_ratio: ratio }: Pick<CloudRender, 'resolution' | 'aspect_ratio'>,
): ChosenSize => {
  const shape = ratio === undefined ? size : SHAPES[ratio]
  const isOfShape = size.width * shape.height === size.height * shape.width
  const page = isOfShape ? size : layOut(size, shape)
  const side = cloudSides[resolution]
  const picture = pictureOf(page, side)
  if (!isPictureSize(picture)) {
    const near = pagesNear(page, side).map(textOf)
    throw fail('VID_CLOUD_SIZE', { resolution, side, page: textOf(page), near })
  }
  return isOfShape ? { picture } : { layout: page, picture }
}
