import type { MediaShow } from '../../contract/media.ts'
import { createPacketDecoder, type PacketDecoder } from '../packets/packet-decoder.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createBlackPictures, type VideoPicture } from './black-pictures.ts'
import { createVideoCallbacks } from './video-callbacks.ts'
import { createVideoOverlay, type OverlaySettings } from './video-overlay.ts'
import { createVideoPictures, type ShownVideo } from './video-pictures.ts'

/** The pictures of videos: images or decoded packets, instead of frames that a browser decodes in real time. */
export interface VideoFrames {
  /** Adds a canvas that packets can be shown on to a video; returns false when the video has no room for one. */
  addOverlay(video: Element | undefined, shadow: ShadowRoot, spareShadow: ShadowRoot): boolean
  /** Creates a video outside of the document, whose caption box becomes the container of an overlay canvas. */
  createSpareVideo(): HTMLVideoElement
  /** Sets the frames that come next; those that were planned before are forgotten. */
  plan(shows: readonly MediaShow[], elementOf: (id: string) => Element | undefined): void
  /** Shows a frame of the composition; resolves when its images are loaded, and loads those after it. */
  show(frame: number): Promise<void>
  /** Fits the pictures to the size of the videos with this frame's styles. */
  fit(frame: number): Promise<void>
  /** Whether a video's picture has the size in which it is captured. */
  fits(video: Element): boolean
  /** Replaces the pictures of `elements` by black; returns those that showed a picture. */
  blank(elements: readonly Element[]): Promise<HTMLVideoElement[]>
  /** The picture of a video, for a script that draws it. */
  draw(video: HTMLVideoElement): VideoPicture | undefined
  /** Whether a script has drawn a video. */
  isDrawn(video: HTMLVideoElement): boolean
  /** Calls the video frame callbacks of the videos that show a new picture. */
  runCallbacks(seconds: number): void
  request(video: HTMLVideoElement, callback: VideoFrameRequestCallback): number
  cancel(id: number): void
  hasCallbacks(): boolean
}

/** The decoder of a show: the previous one when it reads the same packets. */
const continueDecoder = (before: PacketDecoder | undefined, { packets }: MediaShow): PacketDecoder | undefined => {
  if (!packets) return undefined
  if (before?.url !== packets.url) return createPacketDecoder(packets)
  before.setPackets(packets)
  return before
}

/** Creates the player of a window's videos. */
export const createVideoFrames = (realm: Realm, settings: OverlaySettings): VideoFrames => {
  const callbacks = createVideoCallbacks()
  const pictures = createVideoPictures(realm, callbacks.changed)
  const { current, overlays } = pictures
  const blackPictureFor = createBlackPictures(realm)
  /** Kept as long as their caption boxes are used. */
  const spareVideos: HTMLVideoElement[] = []
  const posters = new WeakMap<HTMLVideoElement, string>()
  const drawn = new WeakSet<HTMLVideoElement>()
  let shown: ShownVideo[] = []

  return {
    createSpareVideo() {
      const video = natives.createElement.call(realm.document, 'video') as HTMLVideoElement
      spareVideos.push(video)
      return video
    },
    addOverlay(video, shadow, spareShadow) {
      if (!(video instanceof realm.HTMLVideoElement) || video.controls) return false
      const overlay = overlays.get(video) ?? createVideoOverlay(realm.document, { shadow, spareShadow, ...settings })
      if (overlay) overlays.set(video, overlay)
      return overlay !== undefined
    },
    plan(shows, elementOf) {
      const before = new Map(shown.map((picture) => [picture.video, picture]))
      shown = shows.flatMap((show) => {
        const video = elementOf(show.id)
        if (!(video instanceof realm.HTMLVideoElement)) return []
        if (!posters.has(video)) posters.set(video, video.poster)
        // Without this, a cast button may cover the picture, also where the page's style sheets do not apply.
        video.disableRemotePlayback = true
        const previous = before.get(video)
        const decoder = continueDecoder(previous?.decoder, show)
        if (previous && previous.decoder === decoder) before.delete(video)
        const images = previous?.images ?? new Map<string, HTMLImageElement>()
        return [{ ...show, video, images, poster: posters.get(video) ?? '', decoder }]
      })
      for (const { decoder } of before.values()) decoder?.close()
    },
    async show(frame) {
      await Promise.all(shown.map((picture) => pictures.show(picture, frame)))
    },
    async fit(frame) {
      await Promise.all(shown.map((picture) => pictures.fit(picture, frame)))
    },
    fits: (video) => overlays.get(video as HTMLVideoElement)?.isFitting() ?? true,
    async blank(elements) {
      const showing = shown.flatMap(({ video }) => {
        const picture = elements.includes(video) ? current.get(video) : undefined
        return picture ? [{ video, picture }] : []
      })
      const addresses = await Promise.all(showing.map(({ picture }) => blackPictureFor(picture)))
      for (const [index, { video }] of showing.entries()) {
        pictures.hideOverlay(video)
        video.poster = addresses[index] ?? ''
      }
      return showing.map(({ video }) => video)
    },
    draw(video) {
      drawn.add(video)
      return current.get(video)
    },
    isDrawn: (video) => drawn.has(video),
    runCallbacks: callbacks.run,
    request: callbacks.request,
    cancel: callbacks.cancel,
    hasCallbacks: () => callbacks.size > 0,
  }
}
