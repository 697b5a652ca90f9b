import { natives } from '../realm/natives.ts'
import { BITMAP_TYPE, writeBitmap } from './bitmap.ts'
import { type ImageKind, readImageKind } from './image-kind.ts'
import { openStills } from './still-drawing.ts'

/** A decoded picture, and its address in style sheets. */
export interface DecodedPicture {
  readonly image: HTMLImageElement
  readonly address: string
}

/** The frames of an animated image, with their times. */
export interface ImageFrames {
  /** True when only its first frame can be shown. */
  readonly isStill: boolean
  /** True for a drawing, which no browser can pause in a style sheet. */
  readonly isDrawing: boolean
  indexAt(seconds: number): number
  /** A frame as a picture; the following frames are decoded ahead. Frames in `used` are kept. */
  picture(index: number, used?: readonly number[]): Promise<DecodedPicture>
}

/** Frames that are decoded before they are shown. */
const AHEAD = 2

/** Limit on the bytes of decoded frames of one image. */
const MAX_BYTES = 64 << 20

/** Browsers show frames that are not longer than this for 100 ms. */
const MIN_DURATION_US = 10_000
const SHORT_FRAME_US = 100_000

const withoutFragment = (address: string): string => address.replace(/#.*/s, '')

/** Loads an image file that the page itself has created; `fragment` names a part of it, after a `#`. */
export const loadPicture = async (blob: Blob, fragment = ''): Promise<DecodedPicture> => {
  const image = new natives.Image()
  image.src = natives.createObjectURL.call(URL, blob) + fragment
  await new Promise((resolve, reject) => {
    natives.listen.call(image, 'load', resolve, { once: true })
    natives.listen.call(image, 'error', () => reject(new Error('a decoded frame could not be shown')), {
      once: true,
    })
  })
  return { image, address: image.src }
}

/** The reason why an animated file cannot be read. */
export const NO_DECODER = new Error('this browser does not decode the frames of images')

/** The end of each frame, in microseconds; a truncated file has the frames that could be decoded. */
const readFrames = async (decoder: ImageDecoder, count: number) => {
  const ends: number[] = []
  let bytes = 1
  let close = (frame: VideoFrame) => frame.close()
  for (let frameIndex = 0; frameIndex < count; frameIndex++) {
    const decoded = await decoder.decode({ frameIndex }).catch(() => undefined)
    if (!decoded) break
    const length = decoded.image.duration ?? 0
    bytes = decoded.image.displayWidth * decoded.image.displayHeight * 4
    if (frameIndex === 0) {
      const again = await decoder.decode({ frameIndex })
      // Firefox returns the same frame object each time, so it must not be closed.
      if (again.image === decoded.image) close = () => {}
      else again.image.close()
    }
    close(decoded.image)
    ends.push((ends.at(-1) ?? 0) + (length <= MIN_DURATION_US ? SHORT_FRAME_US : length))
  }
  return { ends, close, maxPictures: Math.max(AHEAD + 1, Math.floor(MAX_BYTES / bytes)) }
}

const openFrames = async (bytes: Uint8Array, type: string): Promise<ImageFrames | undefined> => {
  if (typeof ImageDecoder === 'undefined' || !(await ImageDecoder.isTypeSupported(type))) throw NO_DECODER
  const decoder = new ImageDecoder({ data: bytes as BufferSource, type })
  await Promise.all([decoder.tracks.ready, decoder.completed])
  const track = decoder.tracks.selectedTrack
  const { ends, close, maxPictures } = await readFrames(decoder, track?.animated ? track.frameCount : 0)
  const length = ends.at(-1)
  if (!track || length === undefined || ends.length < 2) {
    decoder.close()
    return undefined
  }
  const runs = track.repetitionCount + 1
  const pictures = new Map<number, Promise<DecodedPicture>>()

  const forget = (indices: readonly number[]) => {
    for (const [index, picture] of pictures) {
      if (pictures.size <= maxPictures) return
      if (indices.includes(index)) continue
      pictures.delete(index)
      picture.then(
        ({ address }) => natives.revokeObjectURL.call(URL, withoutFragment(address)),
        () => undefined,
      )
    }
  }
  const decode = (frameIndex: number): Promise<DecodedPicture> => {
    const remembered = pictures.get(frameIndex)
    if (remembered) return remembered
    const picture = (async () => {
      const { image } = await decoder.decode({ frameIndex })
      try {
        return await loadPicture(new natives.Blob([await writeBitmap(image)], { type: BITMAP_TYPE }))
      } finally {
        close(image)
      }
    })()
    // A failure is reported when the picture is shown.
    picture.catch(() => undefined)
    pictures.set(frameIndex, picture)
    return picture
  }

  return {
    isStill: false,
    isDrawing: false,
    indexAt(seconds) {
      const time = Math.round(Math.max(0, seconds) * 1e6)
      // Rounded, infinite runs never end.
      if (time >= length * runs) return ends.length - 1
      return ends.findIndex((end) => time % length < end)
    },
    picture(index, used = []) {
      const near = Array.from({ length: AHEAD + 1 }, (_, ahead) => (index + ahead) % ends.length)
      forget([...near, ...used])
      const [picture] = near.map(decode)
      return picture ?? decode(index)
    },
  }
}

/** Limit on cached stills of a drawing, besides the shown ones. */
const MAX_STILLS = 8

/** A drawing, with one still for each microsecond. */
const openDrawing = async (text: string, fragment: string): Promise<ImageFrames | undefined> => {
  const drawing = openStills(text)
  if (!drawing) return undefined
  const pictures = new Map<number, Promise<DecodedPicture>>()
  const forget = (indices: readonly number[]) => {
    for (const [index, picture] of pictures) {
      if (pictures.size <= MAX_STILLS) return
      if (indices.includes(index)) continue
      pictures.delete(index)
      picture.then(
        ({ address }) => natives.revokeObjectURL.call(URL, withoutFragment(address)),
        () => undefined,
      )
    }
  }
  return {
    isStill: !drawing.canAdvance,
    isDrawing: true,
    indexAt: (seconds) => (drawing.canAdvance ? Math.round(Math.max(0, seconds) * 1e6) : 0),
    picture(index, used = []) {
      forget([index, ...used])
      const remembered = pictures.get(index)
      if (remembered) return remembered
      const picture = loadPicture(drawing.write(index / 1e6), fragment)
      pictures.set(index, picture)
      return picture
    },
  }
}

const open = (bytes: Uint8Array, image: ImageKind, fragment: string) =>
  image.kind === 'frames' ? openFrames(bytes, image.type) : openDrawing(image.text, fragment)

/** Reads an image file; undefined when it is not animated. Rejects when it cannot be read. */
export const openImage = async (address: string): Promise<ImageFrames | undefined> => {
  const answer = await natives.fetch(address)
  const bytes = new Uint8Array(await natives.arrayBuffer.call(answer))
  const kind = readImageKind(bytes)
  // A mask, a filter or a view is a part of its file.
  return kind && open(bytes, kind, new URL(address).hash)
}
