import type { Realm } from '../realm/natives.ts'
import { loaded } from './picture-loading.ts'

/** The picture of a video. */
export type VideoPicture = HTMLImageElement | HTMLCanvasElement

/** Creates black images by size, since the layout of a video may follow its picture's size. */
export const createBlackPictures = ({ Image, HTMLCanvasElement }: Realm) => {
  const bySize = new Map<string, HTMLImageElement>()
  /** The address of a black image with the size of a picture, once it is loaded. */
  return async (picture: VideoPicture): Promise<string> => {
    const { width, height } =
      picture instanceof HTMLCanvasElement ? picture : { width: picture.naturalWidth, height: picture.naturalHeight }
    const key = `${width}x${height}`
    const image = bySize.get(key) ?? new Image()
    if (!bySize.has(key)) {
      const size = `width="${width}" height="${height}"`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size}/></svg>`
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
      bySize.set(key, image)
    }
    await loaded(image)
    return image.src
  }
}
