import type { CompositionBox } from '@vid/kernel'
import type { ReportedImage } from '../page-report.ts'
import type { PageElements } from './elements.ts'
import { boxOf, intersect, type StyleReader } from './styles.ts'

/** Elements that are looked at for pictures, in document order. */
const MAX_ELEMENTS = 3000
const MAX_IMAGES = 100

type Size = Pick<ReportedImage, 'naturalWidth' | 'naturalHeight' | 'drawnWidth' | 'drawnHeight'>

const isVector = (src: string) => /^data:image\/svg|\.svg(?:[?#]|$)/i.test(src)

/** Size at which a source is drawn into a box by `object-fit`. */
const fitted = (fit: string, natural: { width: number; height: number }, box: { width: number; height: number }) => {
  const wide = box.width / natural.width
  const high = box.height / natural.height
  const factor = {
    contain: Math.min(wide, high),
    cover: Math.max(wide, high),
    none: 1,
    'scale-down': Math.min(1, wide, high),
  }[fit]
  return factor === undefined ? box : { width: natural.width * factor, height: natural.height * factor }
}

const replacedSize = (element: HTMLImageElement | HTMLVideoElement, styles: StyleReader): Size | undefined => {
  const isImage = element instanceof HTMLImageElement
  const natural = isImage
    ? { width: element.naturalWidth, height: element.naturalHeight }
    : { width: element.videoWidth, height: element.videoHeight }
  const style = styles.styleOf(element)
  const { scale, axes } = styles.inherited(element)
  const inner = (size: number, ...paddings: string[]) =>
    paddings.reduce((left, padding) => left - Number.parseFloat(padding), size)
  const box = {
    width: inner(element.clientWidth, style.paddingLeft, style.paddingRight),
    height: inner(element.clientHeight, style.paddingTop, style.paddingBottom),
  }
  if (isImage && (natural.width === 0 || natural.height === 0)) return undefined
  // The page script may not have loaded a video: its size is then that of the plan.
  const size = natural.width > 0 ? natural : { width: box.width, height: box.height }
  const drawn = fitted(style.objectFit, size, box)
  return {
    naturalWidth: natural.width,
    naturalHeight: natural.height,
    drawnWidth: drawn.width * (axes?.x ?? scale),
    drawnHeight: drawn.height * (axes?.y ?? scale),
  }
}

/** Sizes of the images of styles, by address: loaded once, and reported from the frame after. */
const createNaturals = () => {
  const images = new Map<string, HTMLImageElement>()
  return {
    of(src: string): { width: number; height: number } | undefined {
      let image = images.get(src)
      if (!image) {
        image = new Image()
        image.src = src
        images.set(src, image)
      }
      return image.complete && image.naturalWidth > 0
        ? { width: image.naturalWidth, height: image.naturalHeight }
        : undefined
    },
    isLoading: () => [...images.values()].some(({ complete }) => !complete),
    /** Waits for those that load; one that cannot be loaded has no size. */
    load: () => Promise.allSettled([...images.values()].map((image) => image.complete || image.decode())),
  }
}

const backgroundSize = (
  size: string,
  natural: { width: number; height: number },
  box: { width: number; height: number },
) => {
  if (size === 'cover' || size === 'contain') return fitted(size, natural, box)
  const [wide = 'auto', high = 'auto'] = size.split(' ')
  const length = (text: string, whole: number) =>
    text === 'auto' ? undefined : text.endsWith('%') ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text)
  const width = length(wide, box.width)
  const height = length(high, box.height)
  if (width === undefined && height === undefined) return natural
  return {
    width: width ?? (natural.width * (height ?? 0)) / natural.height,
    height: height ?? (natural.height * (width ?? 0)) / natural.width,
  }
}

/** What pictures are read with. */
interface ImageReader {
  readonly elements: PageElements
  readonly naturals: ReturnType<typeof createNaturals>
  readonly styles: StyleReader
}

/** A picture behind the content of an element. */
const backgroundOf = (
  element: Element,
  box: CompositionBox,
  { elements, naturals, styles }: ImageReader,
): ReportedImage | undefined => {
  const { backgroundImage, backgroundSize: size } = styles.styleOf(element)
  const [, src] = /^url\("(.*)"\)$/.exec(backgroundImage) ?? []
  if (src === undefined || isVector(src)) return undefined
  const natural = naturals.of(src)
  if (!natural) return undefined
  const { scale } = styles.inherited(element)
  const drawn = backgroundSize(size, { width: natural.width * scale, height: natural.height * scale }, box)
  return {
    element: elements.numberOf(element),
    kind: 'background',
    src,
    box,
    naturalWidth: natural.width,
    naturalHeight: natural.height,
    drawnWidth: drawn.width,
    drawnHeight: drawn.height,
  }
}
/** A picture in a drawing. */
const drawingOf = (
  element: SVGImageElement,
  box: CompositionBox,
  { elements, naturals }: ImageReader,
): ReportedImage | undefined => {
  const src = element.href.baseVal
  const natural = src === '' || isVector(src) ? undefined : naturals.of(new URL(src, document.baseURI).href)
  if (!natural) return undefined
  const { align, meetOrSlice } = element.preserveAspectRatio.baseVal
  const isFilled = align === SVGPreserveAspectRatio.SVG_PRESERVEASPECTRATIO_NONE
  const isSliced = meetOrSlice === SVGPreserveAspectRatio.SVG_MEETORSLICE_SLICE
  const drawn = fitted(isFilled ? 'fill' : isSliced ? 'cover' : 'contain', natural, box)
  return {
    element: elements.numberOf(element),
    kind: 'image',
    src,
    box,
    naturalWidth: natural.width,
    naturalHeight: natural.height,
    drawnWidth: drawn.width,
    drawnHeight: drawn.height,
  }
}
/** A picture or a video that is an element. */
const replacedOf = (element: Element, box: CompositionBox, reader: ImageReader): ReportedImage | undefined => {
  if (element instanceof SVGImageElement) return drawingOf(element, box, reader)
  const { elements, styles } = reader
  const isImage = element instanceof HTMLImageElement
  if (!isImage && !(element instanceof HTMLVideoElement)) return undefined
  const src = element.currentSrc || element.src
  const size = isVector(src) ? undefined : replacedSize(element, styles)
  if (!size) return undefined
  return {
    element: elements.numberOf(element),
    kind: isImage ? 'image' : 'video',
    src: element.getAttribute('src') ?? src,
    box,
    ...size,
  }
}
/** Reads the pictures of a frame. */
export const createImages = (elements: PageElements) => {
  const naturals = createNaturals()
  const read = (frame: CompositionBox, styles: StyleReader): ReportedImage[] => {
    const reader = { elements, naturals, styles }
    const images: ReportedImage[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
    for (let count = 0; count < MAX_ELEMENTS && images.length < MAX_IMAGES; count++) {
      const element = walker.nextNode() as Element | null
      if (!element) break
      // Most elements of a long composition are hidden; this is cheaper than their styles.
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const isReplaced = ['img', 'video', 'image'].includes(element.localName)
      if (!isReplaced && styles.styleOf(element).backgroundImage === 'none') continue
      if (styles.inherited(element).opacity === 0) continue
      const box = boxOf(element)
      const part = intersect(box, frame)
      if (part.width < 2 || part.height < 2) continue
      const image = isReplaced ? replacedOf(element, box, reader) : backgroundOf(element, box, reader)
      if (image) images.push(image)
    }
    return images
  }
  return {
    /** The pictures of the shown frame, once the size of each is known. */
    async read(frame: CompositionBox, styles: StyleReader): Promise<ReportedImage[]> {
      const images = read(frame, styles)
      if (!naturals.isLoading()) return images
      await naturals.load()
      return read(frame, styles)
    },
  }
}
