import type { MediaShow } from '../../contract.ts'
import { natives, type Realm } from '../natives.ts'
import { createPacketDecoder, type PacketDecoder } from '../packets/packet-decoder.ts'
import { createVideoScreen, type VideoScreen } from './video-overlay.ts'

/** What a video shows. */
export type VideoPicture = HTMLImageElement | HTMLCanvasElement

/** What videos show: images or decoded packets, in place of frames that a browser would decode when it likes. */
export interface VideoFrames {
  /** Gives a video a canvas that packets can be shown on; false when it takes none. */
  giveScreen(video: Element | undefined, inside: ShadowRoot, lent: ShadowRoot): boolean
  /** A video outside of the page that lends the box for a canvas. */
  lender(): HTMLVideoElement
  /** Takes the frames that come; those that were planned before are forgotten. */
  plan(shows: readonly MediaShow[], elementOf: (id: string) => Element | undefined): void
  /** Shows a frame of the composition; resolves when its images are there, and loads those after it. */
  show(frame: number): Promise<void>
  /** Makes what was shown as large as the videos are now that the frame's styles are known. */
  fit(frame: number): Promise<void>
  /** Whether what a video shows has the size that it is captured in. */
  fits(video: Element): boolean
  /** Blackens what is shown by those of `elements` that show an image, and gives these. */
  blank(elements: readonly Element[]): Promise<HTMLVideoElement[]>
  /** Gives what a video shows to a script. */
  draw(video: HTMLVideoElement): VideoPicture | undefined
  /** Whether a script was given an image of a video. */
  isDrawn(video: HTMLVideoElement): boolean
  /** Calls what waits for a new picture. */
  tell(seconds: number): void
  request(video: HTMLVideoElement, callback: VideoFrameRequestCallback): number
  cancel(id: number): void
  hasCallbacks(): boolean
}

/** Frames that are loaded before they are shown. */
const AHEAD = 3

interface Shown extends MediaShow {
  readonly video: HTMLVideoElement
  /** By address: the same source frame may be due again. */
  readonly images: Map<string, HTMLImageElement>
  /** What it shows outside of its frames. */
  readonly rest: string
  /** Set while the page decodes by itself. */
  decoder?: PacketDecoder | undefined
}

const loaded = (image: HTMLImageElement): Promise<void> =>
  image.complete && image.naturalWidth > 0
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        const failed = () => reject(new Error(`no frame came from ${image.src}`))
        if (image.complete) return failed()
        natives.listen.call(image, 'load', () => resolve(), { once: true })
        natives.listen.call(image, 'error', failed, { once: true })
      })

/** The decoder of a show: the one before where it reads the same packets. */
const continueDecoder = (
  before: PacketDecoder | undefined,
  { packets }: MediaShow,
): PacketDecoder | undefined => {
  if (!packets) return undefined
  if (before?.url !== packets.url) return createPacketDecoder(packets)
  before.take(packets)
  return before
}

/** Makes the player of a window's videos. */
export const createVideoFrames = (realm: Realm): VideoFrames => {
  const { Image } = realm
  const current = new WeakMap<HTMLVideoElement, VideoPicture>()
  const screens = new WeakMap<HTMLVideoElement, VideoScreen>()
  /** Kept as long as what they lent. */
  const lenders: HTMLVideoElement[] = []
  /** Time stamps of what the screens show. */
  const drawnTicks = new WeakMap<HTMLVideoElement, number>()
  const rests = new WeakMap<HTMLVideoElement, string>()
  const callbacks = new Map<number, { video: HTMLVideoElement; callback: VideoFrameRequestCallback }>()
  const changed = new Set<HTMLVideoElement>()
  /** By size, which the layout of a video may follow. */
  const blanks = new Map<string, HTMLImageElement>()
  const drawn = new WeakSet<HTMLVideoElement>()
  let shown: Shown[] = []
  let lastId = 0
  let presented = 0

  const fetchImage = ({ images }: Shown, url: string) => {
    const known = images.get(url)
    if (known) return known
    const image = new Image()
    image.src = url
    images.set(url, image)
    return image
  }

  const blankOf = async (picture: VideoPicture) => {
    const { width, height } =
      picture instanceof realm.HTMLCanvasElement
        ? picture
        : { width: picture.naturalWidth, height: picture.naturalHeight }
    const key = `${width}x${height}`
    const image = blanks.get(key) ?? new Image()
    if (!blanks.has(key)) {
      const size = `width="${width}" height="${height}"`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size}/></svg>`
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
      blanks.set(key, image)
    }
    await loaded(image)
    return image.src
  }

  const setCurrent = (video: HTMLVideoElement, picture: VideoPicture | undefined) => {
    if (picture) current.set(video, picture)
    else current.delete(video)
  }

  /** Shows a frame of packets; false when they cannot be decoded, and images must do. */
  const showDecoded = async (one: Shown, decoder: PacketDecoder, frame: number): Promise<boolean> => {
    const { video, packets, first, rest } = one
    const screen = screens.get(video)
    const tick = packets?.shown[frame - first]
    if (!screen?.isThere()) return false
    try {
      if (tick === undefined) screen.hide()
      else if (drawnTicks.get(video) !== tick) {
        const following = packets?.shown[frame - first + 1]
        screen.draw(await decoder.at(tick, following === tick ? undefined : following))
      }
    } catch {
      return false
    }
    if (drawnTicks.get(video) !== tick) changed.add(video)
    if (tick === undefined) drawnTicks.delete(video)
    else drawnTicks.set(video, tick)
    setCurrent(video, tick === undefined ? undefined : screen.picture())
    if (video.poster !== rest) video.poster = rest
    return true
  }

  const showOne = async (one: Shown, frame: number) => {
    if (one.decoder) {
      if (await showDecoded(one, one.decoder, frame)) return
      one.decoder.close()
      one.decoder = undefined
      screens.get(one.video)?.hide()
      drawnTicks.delete(one.video)
    }
    await showImage(one, frame)
  }

  const showImage = async (one: Shown, frame: number) => {
    const { video, first, urls, images, rest } = one
    const index = frame - first
    const near = urls.slice(Math.max(0, index), Math.max(0, index + 1 + AHEAD))
    for (const url of images.keys()) if (!near.includes(url)) images.delete(url)
    const coming = near.map((url) => fetchImage(one, url))
    const image = urls[index] === undefined ? undefined : coming[0]
    if (image) await loaded(image)
    const address = image?.src ?? rest
    if (current.get(video) !== image) changed.add(video)
    setCurrent(video, image)
    // An image that is there already is shown at once, with the style changes of this frame.
    if (video.poster !== address) video.poster = address
  }

  return {
    lender() {
      const lender = natives.createElement.call(realm.document, 'video') as HTMLVideoElement
      lenders.push(lender)
      return lender
    },
    giveScreen(video, inside, lent) {
      if (!(video instanceof realm.HTMLVideoElement) || video.controls) return false
      const screen = screens.get(video) ?? createVideoScreen(realm.document, inside, lent)
      if (screen) screens.set(video, screen)
      return screen !== undefined
    },
    plan(shows, elementOf) {
      const before = new Map(shown.map((one) => [one.video, one]))
      shown = shows.flatMap((show) => {
        const video = elementOf(show.id)
        if (!(video instanceof realm.HTMLVideoElement)) return []
        if (!rests.has(video)) rests.set(video, video.poster)
        // Else a button for it may lie over the picture, also where the page's style sheets do not reach.
        video.disableRemotePlayback = true
        const known = before.get(video)
        const decoder = continueDecoder(known?.decoder, show)
        if (known && known.decoder === decoder) before.delete(video)
        return [{ ...show, video, images: known?.images ?? new Map(), rest: rests.get(video) ?? '', decoder }]
      })
      for (const { decoder } of before.values()) decoder?.close()
    },
    async show(frame) {
      await Promise.all(shown.map((one) => showOne(one, frame)))
    },
    async fit(frame) {
      const fitOne = async (one: Shown) => {
        const { video, decoder } = one
        const screen = screens.get(video)
        if (!decoder || !screen || !drawnTicks.has(video)) return
        if (video.controls) {
          // They are drawn over a poster, and under a canvas.
          screen.hide()
          drawnTicks.delete(video)
          await showImage(one, frame)
          return
        }
        screen.fit()
        setCurrent(video, screen.picture())
      }
      await Promise.all(shown.map(fitOne))
    },
    fits: (video) => screens.get(video as HTMLVideoElement)?.isFitting() ?? true,
    async blank(elements) {
      const showing = shown.flatMap(({ video }) => {
        const image = elements.includes(video) ? current.get(video) : undefined
        return image ? [{ video, image }] : []
      })
      const addresses = await Promise.all(showing.map(({ image }) => blankOf(image)))
      for (const [at, { video }] of showing.entries()) {
        screens.get(video)?.hide()
        drawnTicks.delete(video)
        video.poster = addresses[at] ?? ''
      }
      return showing.map(({ video }) => video)
    },
    draw(video) {
      drawn.add(video)
      return current.get(video)
    },
    isDrawn: (video) => drawn.has(video),
    tell(seconds) {
      const due = [...callbacks].filter(([, { video }]) => changed.has(video))
      changed.clear()
      presented += 1
      const now = seconds * 1000
      for (const [id, { video, callback }] of due) {
        callbacks.delete(id)
        const { videoWidth: width, videoHeight: height, currentTime: mediaTime } = video
        const times = { presentationTime: now, expectedDisplayTime: now, mediaTime }
        callback.call(video, now, { ...times, width, height, presentedFrames: presented })
      }
    },
    request(video, callback) {
      callbacks.set(++lastId, { video, callback })
      return lastId
    },
    cancel: (id) => void callbacks.delete(id),
    hasCallbacks: () => callbacks.size > 0,
  }
}
