import { type FrameRate, INCOMPLETE_TAG, readFrameRate } from '@vid/protocol'
import Hls, { type ErrorData, type Level } from 'hls.js'

/** How an HLS video is played. */
export interface HlsOpening {
  readonly video: HTMLVideoElement
  /** Address of a playlist, which may still grow. */
  readonly address: string
  /** Its playlist was read, again while it grows. */
  onUpdate?(): void
  /** The video cannot be played, or no further. */
  onFailure(reason: string): void
  /** The render of the video failed or was stopped: there will be no more than is listed. */
  onIncomplete(): void
}

/** An HLS video that plays in a `<video>`. */
export interface HlsVideo {
  /** Size of its largest pictures, in pixels; undefined before a playlist was read, or if it does not say so. */
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** As its playlist says. */
  readonly fps: FrameRate | undefined
  /** Length of its pictures in seconds, so far; undefined before its playlist was read. */
  readonly seconds: number | undefined
  /** Whether its playlist may still grow. */
  readonly isGrowing: boolean
  close(): void
}

const reasonOf = ({ details, response }: ErrorData): string => {
  const { code = 0 } = response ?? {}
  return code >= 400 ? `the server answered ${code}` : `hls.js reports ${details}`
}

const largest = (levels: readonly Level[]): Level | undefined =>
  levels.reduce<Level | undefined>((most, level) => (level.height > (most?.height ?? 0) ? level : most), undefined)

/**
 * Plays a playlist from its start, although it may still grow: with hls.js, since browsers that have HLS stop where such
 * a playlist ends at present. A video with `preload="none"` loads nothing before it is played.
 */
export const playHls = ({ video, address, onUpdate, onFailure, onIncomplete }: HlsOpening): HlsVideo => {
  if (!Hls.isSupported()) {
    video.src = address
    return {
      size: undefined,
      fps: undefined,
      seconds: undefined,
      isGrowing: false,
      close: () => video.removeAttribute('src'),
    }
  }
  const isEager = video.preload !== 'none'
  const hls = new Hls({ startPosition: 0, autoStartLoad: isEager })
  const start = () => hls.startLoad(0)
  if (!isEager) video.addEventListener('play', start, { once: true })
  let isGrowing = false
  let seconds: number | undefined
  let isIncomplete = false
  let isRecovered = false
  hls.on(Hls.Events.LEVEL_UPDATED, (_, { details }) => {
    isGrowing = details.live
    seconds = details.totalduration
    onUpdate?.()
    if (isIncomplete || !details.m3u8.includes(`\n${INCOMPLETE_TAG}\n`)) return
    isIncomplete = true
    onIncomplete()
  })
  hls.on(Hls.Events.ERROR, (_, data) => {
    if (!data.fatal) return
    // A decoder that failed once often works when it is opened again.
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && !isRecovered) {
      isRecovered = true
      hls.recoverMediaError()
    } else onFailure(reasonOf(data))
  })
  hls.loadSource(address)
  hls.attachMedia(video)
  return {
    get size() {
      const { width = 0, height = 0 } = largest(hls.levels) ?? {}
      return width > 0 && height > 0 ? { width, height } : undefined
    },
    get fps() {
      const rate = largest(hls.levels)?.frameRate ?? 0
      return rate > 0 ? readFrameRate(rate) : undefined
    },
    get seconds() {
      return seconds
    },
    get isGrowing() {
      return isGrowing
    },
    close() {
      video.removeEventListener('play', start)
      hls.destroy()
    },
  }
}
