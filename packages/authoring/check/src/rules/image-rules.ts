import { type CheckSpot, type CompositionImage, defineCheck, withDefault } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { mendShape } from './mends.ts'
import { fileNameOf, lengthOf, short } from './spots.ts'

/** Parts by which a picture may be stretched before it is noticed. */
const MAX_SQUEEZE = 0.03

/** Seconds for which it has to be stretched in one way: what is squeezed for a moment and has its shape again moves. */
const SQUEEZE_SECONDS = 0.4

/** Sources as small as this are colours and patterns. */
const MIN_PIXELS = 8

export const upscaledImage = defineCheck({
  name: '@vid/check/upscaled-image',
  rule: 'upscaled-image',
  level: 'warning',
  what: 'A picture or a video that is shown larger than it has pixels.',
  why: 'It is blurred.',
  hint: 'Use a larger source, or show it smaller.',
  options: Type.Object({ factor: withDefault(Type.Number({ minimum: 1 }), 1.3) }),
  *check(facts, { factor }): Generator<CheckSpot> {
    for (const { element, frames, src, box, naturalWidth, naturalHeight, drawnWidth, drawnHeight } of facts.images) {
      const scale = Math.max(drawnWidth / naturalWidth, drawnHeight / naturalHeight)
      if (scale <= factor || Math.min(naturalWidth, naturalHeight) < MIN_PIXELS) continue
      yield {
        frames,
        element,
        box,
        message: `${fileNameOf(src)} has ${naturalWidth} x ${naturalHeight} pixels and is shown ${short(scale, 2)} times as large.`,
        figures: { factor: Number(scale.toFixed(2)), width: naturalWidth, height: naturalHeight },
      }
    }
  },
})

const stretchOf = ({ naturalWidth, naturalHeight, drawnWidth, drawnHeight }: CompositionImage): number =>
  drawnWidth / drawnHeight / (naturalWidth / naturalHeight)

const isSqueezed = (image: CompositionImage): boolean => {
  const { naturalWidth, naturalHeight, drawnWidth, drawnHeight } = image
  if (Math.min(naturalWidth, naturalHeight) < MIN_PIXELS || drawnWidth < 2 || drawnHeight < 2) return false
  // A pixel of rounding is no stretch.
  const rounding = 1 / drawnWidth + 1 / drawnHeight
  return Math.abs(Math.log(stretchOf(image))) > Math.log(1 + MAX_SQUEEZE) + rounding
}

export const squeezedImage = defineCheck({
  name: '@vid/check/squeezed-image',
  rule: 'squeezed-image',
  level: 'warning',
  what: 'A picture or a video in another shape than its own.',
  why: 'Faces, circles and logos look wrong.',
  hint: 'Use object-fit: cover or contain, or set only one of width and height.',
  *check(facts): Generator<CheckSpot> {
    const lasting = new Set(
      facts.images
        .filter((image) => isSqueezed(image) && lengthOf(image.frames, facts) >= SQUEEZE_SECONDS)
        .map(({ element }) => element),
    )
    const shaped = new Set(facts.images.filter((image) => !isSqueezed(image)).map(({ element }) => element))
    for (const image of facts.images) {
      const { element, frames, src, box } = image
      if (!isSqueezed(image) || (shaped.has(element) && !lasting.has(element))) continue
      const stretch = stretchOf(image)
      const isWide = stretch > 1
      yield {
        frames,
        element,
        box,
        message: `${fileNameOf(src)} is stretched to ${short((isWide ? stretch : 1 / stretch) * 100, 0)} % of its ${isWide ? 'width' : 'height'}.`,
        figures: { stretch: Number(stretch.toFixed(3)) },
        ...mendShape(image),
      }
    }
  },
})
