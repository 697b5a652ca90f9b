import { areEqual } from '../../contract/likeness.ts'
import { BITMAP_TYPE, writeBitmap } from '../images/bitmap.ts'
import { clear, type ElementContext, type ElementPicture } from './element-context.ts'
import type { RasterStill } from './raster-jobs.ts'

/** Uses the pixels of a canvas as a frame, and frees it. */
const withFrame = async <T>({ canvas }: ElementContext, use: (frame: VideoFrame) => Promise<T>): Promise<T> => {
  const frame = new VideoFrame(canvas, { timestamp: 0 })
  try {
    return await use(frame)
  } finally {
    frame.close()
  }
}

/** Draws a background over two colours, and returns it as an image file unless one of them shows through. */
export const drawStill = async (context: ElementContext, { picture, area }: RasterStill): Promise<Blob | undefined> => {
  const drawOver = (colour: string) => {
    const { fillStyle } = context
    context.fillStyle = colour
    context.fillRect(area.x, area.y, area.width, area.height)
    context.fillStyle = fillStyle
    context.drawElementImage(picture, area.x, area.y)
    return withFrame(context, (frame) => writeBitmap(frame, area))
  }
  const onWhite = await drawOver('#fff')
  const onBlack = await drawOver('#000')
  picture.close?.()
  return areEqual(onWhite, onBlack) ? new Blob([onWhite], { type: BITMAP_TYPE }) : undefined
}

/** Whether pictures are drawn with equal pixels. */
export const areDrawnAlike = async (
  context: ElementContext,
  opaque: boolean,
  pictures: readonly ElementPicture[],
): Promise<boolean> => {
  const drawn: Uint8Array[] = []
  for (const picture of pictures) {
    clear(context, opaque)
    context.drawElementImage(picture, 0, 0)
    picture.close?.()
    const pixels = await withFrame(context, async (frame) => {
      const bytes = new Uint8Array(frame.allocationSize())
      await frame.copyTo(bytes)
      return bytes
    })
    drawn.push(pixels)
  }
  const [first, ...others] = drawn
  return first !== undefined && others.every((other) => areEqual(first, other))
}
