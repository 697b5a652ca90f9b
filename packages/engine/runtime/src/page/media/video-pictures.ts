import type { MediaShow } from '../../contract/media.ts'
import type { PacketDecoder } from '../packets/packet-decoder.ts'
import type { Realm } from '../realm/natives.ts'
import type { VideoPicture } from './black-pictures.ts'
import { loaded } from './picture-loading.ts'
import type { VideoOverlay } from './video-overlay.ts'

/** Frames that are loaded before they are shown. */
const PRELOADED = 3

/** A video and its pictures in the coming frames. */
export interface ShownVideo extends MediaShow {
  readonly video: HTMLVideoElement
  /** By address: the same source frame may be due again. */
  readonly images: Map<string, HTMLImageElement>
  /** The picture of the video outside its frames. */
  readonly poster: string
  /** Set while the page decodes the packets itself. */
  decoder?: PacketDecoder | undefined
}

/** Shows pictures in the videos of a window, as poster images or on overlay canvases. */
export const createVideoPictures = (realm: Realm, onChange: (video: HTMLVideoElement) => void) => {
  const { Image } = realm
  const current = new WeakMap<HTMLVideoElement, VideoPicture>()
  const overlays = new WeakMap<HTMLVideoElement, VideoOverlay>()
  /** Timestamps of the pictures on the overlays. */
  const drawnTicks = new WeakMap<HTMLVideoElement, number>()

  const setCurrent = (video: HTMLVideoElement, picture: VideoPicture | undefined) => {
    if (picture) current.set(video, picture)
    else current.delete(video)
  }
  const hideOverlay = (video: HTMLVideoElement) => {
    overlays.get(video)?.hide()
    drawnTicks.delete(video)
  }
  const fetchImage = ({ images }: ShownVideo, url: string) => {
    const fetched = images.get(url)
    if (fetched) return fetched
    const image = new Image()
    image.src = url
    images.set(url, image)
    return image
  }

  /** Shows a frame of packets; returns false when they cannot be decoded, and images are needed. */
  const showDecoded = async (shown: ShownVideo, decoder: PacketDecoder, frame: number): Promise<boolean> => {
    const { video, packets, first, poster } = shown
    const overlay = overlays.get(video)
    const tick = packets?.shown[frame - first]
    if (!overlay?.isAttached()) return false
    try {
      if (tick === undefined) overlay.hide()
      else if (drawnTicks.get(video) !== tick) {
        const following = packets?.shown[frame - first + 1]
        overlay.draw(await decoder.decode(tick, following === tick ? undefined : following))
      }
    } catch {
      return false
    }
    if (drawnTicks.get(video) !== tick) onChange(video)
    if (tick === undefined) drawnTicks.delete(video)
    else drawnTicks.set(video, tick)
    setCurrent(video, tick === undefined ? undefined : overlay.picture())
    if (video.poster !== poster) video.poster = poster
    return true
  }

  const showImage = async (shown: ShownVideo, frame: number) => {
    const { video, first, urls, images, poster } = shown
    const index = frame - first
    const near = urls.slice(Math.max(0, index), Math.max(0, index + 1 + PRELOADED))
    for (const url of images.keys()) if (!near.includes(url)) images.delete(url)
    const coming = near.map((url) => fetchImage(shown, url))
    const image = urls[index] === undefined ? undefined : coming[0]
    if (image) await loaded(image)
    const address = image?.src ?? poster
    if (current.get(video) !== image) onChange(video)
    setCurrent(video, image)
    // An image that is loaded already is shown at once, with the style changes of this frame.
    if (video.poster !== address) video.poster = address
  }

  return {
    current,
    overlays,
    hideOverlay,
    async show(shown: ShownVideo, frame: number) {
      if (shown.decoder) {
        if (await showDecoded(shown, shown.decoder, frame)) return
        shown.decoder.close()
        shown.decoder = undefined
        hideOverlay(shown.video)
      }
      await showImage(shown, frame)
    },
    async fit(shown: ShownVideo, frame: number) {
      const { video, decoder } = shown
      const overlay = overlays.get(video)
      if (!decoder || !overlay || !drawnTicks.has(video)) return
      if (video.controls) {
        // Controls are drawn over a poster, but under a canvas.
        hideOverlay(video)
        await showImage(shown, frame)
        return
      }
      overlay.fit()
      setCurrent(video, overlay.picture())
    },
  }
}
