/** What the page of a composition offers as `__vid`. */
interface CompositionPage {
  readonly hidesCaptions?: boolean
  registerAdapter(adapter: {
    name: string
    element: Element
    silent: boolean
    seek(seconds: number): void
    update(): void
  }): void
  waitUntil(promise: Promise<unknown>): void
}

/** `__vid`, in a page that vid drives. */
export const compositionPage = (): CompositionPage | undefined =>
  (globalThis as { readonly __vid?: CompositionPage }).__vid

/** Called with seconds of the captions file; undefined while its track is not shown. */
export type ShowTime = (seconds: number | undefined) => void

const numberOf = (element: Element, ...names: readonly string[]): number | undefined =>
  names.map((name) => Number.parseFloat(element.getAttribute(name) ?? '')).find((value) => Number.isFinite(value))

/** Seconds of the captions file at seconds of the track: captions of a video follow its offset and rate. */
const fileTime = (track: Element, seconds: number): number => {
  const media = track.closest('video,audio')
  const rate = (media && numberOf(media, 'data-playback-rate')) ?? 1
  const offset =
    numberOf(track, 'data-media-start') ?? (media && numberOf(media, 'data-media-start', 'data-playback-start')) ?? 0
  return seconds * rate + offset
}

/** Follows the time that vid seeks the page to. */
const followComposition = (page: CompositionPage, track: Element, show: ShowTime): void => {
  let seconds: number | undefined
  page.registerAdapter({
    name: 'vid-captions',
    element: track,
    silent: true,
    seek(local) {
      seconds = local
    },
    update() {
      // A page that was seeked backwards has the time of before.
      const isShown =
        seconds !== undefined &&
        track.closest('[data-vid-window="off"],[data-hidden]:not([data-hidden="false"])') === null
      show(isShown && seconds !== undefined ? fileTime(track, seconds) : undefined)
    },
  })
}

/** Follows a media element of any page. */
const followMedia = (media: HTMLMediaElement, track: Element, show: ShowTime): void => {
  const start = media.contains(track) ? 0 : (numberOf(track, 'data-start') ?? 0)
  const update = () => show(media.currentTime - start)
  const play = () => {
    update()
    if (!media.paused) requestAnimationFrame(play)
  }
  for (const type of ['timeupdate', 'seeking', 'seeked', 'loadedmetadata', 'pause'])
    media.addEventListener(type, update)
  media.addEventListener('play', play)
  play()
}

/** Calls `show` whenever the time of a track has changed: with that of the composition, else of a media element. */
export const followTrack = (track: Element, show: ShowTime): void => {
  const page = compositionPage()
  if (page) {
    followComposition(page, track, show)
    return
  }
  const media =
    track.closest<HTMLMediaElement>('video,audio') ?? document.querySelector<HTMLMediaElement>('video,audio')
  if (media) followMedia(media, track, show)
}
