import type { MediaShow } from '../contract.ts'
import { natives, type Realm } from './natives.ts'

/** What videos show: images in place of frames that a browser would decode when it likes. */
export interface VideoFrames {
  /** Takes the frames that come; those that were planned before are forgotten. */
  plan(shows: readonly MediaShow[], elementOf: (id: string) => Element | undefined): void
  /** Shows a frame of the composition; resolves when its images are there, and loads those after it. */
  show(frame: number): Promise<void>
  /** Blackens what is shown by those of `elements` that show an image, and gives these. */
  blank(elements: readonly Element[]): Promise<HTMLVideoElement[]>
  /** Gives the image that a video shows to a script. */
  draw(video: HTMLVideoElement): HTMLImageElement | undefined
  /** Whether a script was given an image of a video. */
  isDrawn(video: HTMLVideoElement): boolean
  /** Calls what waits for a new picture. */
  tell(seconds: number): void
  /** The image that a video shows now. */
  imageOf(video: HTMLVideoElement): HTMLImageElement | undefined
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

/** Makes the player of a window's videos. */
export const createVideoFrames = (realm: Realm): VideoFrames => {
  const { Image } = realm
  const current = new WeakMap<HTMLVideoElement, HTMLImageElement>()
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

  const blankOf = async ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
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

  const showOne = async (one: Shown, frame: number) => {
    const { video, first, urls, images, rest } = one
    const index = frame - first
    const near = urls.slice(Math.max(0, index), Math.max(0, index + 1 + AHEAD))
    for (const url of images.keys()) if (!near.includes(url)) images.delete(url)
    const coming = near.map((url) => fetchImage(one, url))
    const image = urls[index] === undefined ? undefined : coming[0]
    if (image) await loaded(image)
    const address = image?.src ?? rest
    if (current.get(video) !== image) changed.add(video)
    if (image) current.set(video, image)
    else current.delete(video)
    // An image that is there already is shown at once, with the style changes of this frame.
    if (video.poster !== address) video.poster = address
  }

  return {
    plan(shows, elementOf) {
      const before = new Map(shown.map(({ video, images }) => [video, images]))
      shown = shows.flatMap((show) => {
        const video = elementOf(show.id)
        if (!(video instanceof realm.HTMLVideoElement)) return []
        if (!rests.has(video)) rests.set(video, video.poster)
        // Else a button for it may lie over the picture, also where the page's style sheets do not reach.
        video.disableRemotePlayback = true
        return [{ ...show, video, images: before.get(video) ?? new Map(), rest: rests.get(video) ?? '' }]
      })
    },
    async show(frame) {
      await Promise.all(shown.map((one) => showOne(one, frame)))
    },
    async blank(elements) {
      const showing = shown.flatMap(({ video }) => {
        const image = elements.includes(video) ? current.get(video) : undefined
        return image ? [{ video, image }] : []
      })
      const addresses = await Promise.all(showing.map(({ image }) => blankOf(image)))
      for (const [at, { video }] of showing.entries()) video.poster = addresses[at] ?? ''
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
    imageOf: (video) => current.get(video),
    request(video, callback) {
      callbacks.set(++lastId, { video, callback })
      return lastId
    },
    cancel: (id) => void callbacks.delete(id),
    hasCallbacks: () => callbacks.size > 0,
  }
}
