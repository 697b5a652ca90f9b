import type { FrameTimes } from '../frame-times.ts'
import type { PlaybackEvents, PlaybackSettings, VideoEvents } from '../player-session.ts'
import type { VideoPosition } from './video-position.ts'
import { playVideo } from './video-start.ts'

/** What a video that plays reads, and reports to. */
export interface VideoRunParts {
  readonly video: HTMLVideoElement
  readonly position: VideoPosition
  times(): FrameTimes
  settings(): PlaybackSettings
  readonly on: PlaybackEvents & VideoEvents
  /** Aborted when nothing more can be shown. */
  readonly signal: AbortSignal
}

/** A video while it plays. */
export interface VideoRun {
  readonly isPlaying: boolean
  start(): void
  stop(): void
}

/** The end of a promise to play that was paused meanwhile. */
const isStopped = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'AbortError'

/** Passes on what the browser reports of a video while it plays. */
const listen = ({ video, on, signal }: VideoRunParts, isPlaying: () => boolean, end: () => void): void => {
  const whilePlaying = (report: () => void) => () => {
    if (isPlaying()) report()
  }
  const listeners = {
    timeupdate: whilePlaying(on.timeupdate),
    playing: whilePlaying(on.playing),
    waiting: whilePlaying(on.waiting),
    ended: whilePlaying(end),
    pause: () => isPlaying() && video.paused && !video.ended && on.toggled(false),
    play: () => !isPlaying() && !video.paused && on.toggled(true),
  }
  for (const [type, listener] of Object.entries(listeners)) video.addEventListener(type, listener, { signal })
}

/** Follows a video by frames while it plays, to the end of its range. */
export const createVideoRun = (parts: VideoRunParts): VideoRun => {
  const { video, position, times, settings, on, signal } = parts
  let isPlaying = false
  let request = 0
  const stop = () => {
    isPlaying = false
    cancelAnimationFrame(request)
    video.pause()
  }
  const fail = (thrown: unknown) => {
    stop()
    if (!signal.aborted) on.failed(thrown)
  }
  const begin = () => {
    video.playbackRate = settings().rate
    playVideo(video, signal).catch((thrown: unknown) => {
      if (isPlaying && !isStopped(thrown)) fail(thrown)
    })
  }
  const end = () => {
    const { range, loop } = settings()
    if (loop) {
      position.jump(range.start)
      begin()
      return
    }
    stop()
    position.seek(range.end - 1).then(() => on.ended(), fail)
  }
  const tick = () => {
    request = requestAnimationFrame(tick)
    if (video.seeking || video.ended) return
    const { range } = settings()
    const { count, frameAt } = times()
    const due = frameAt(video.currentTime)
    // At the end of the video itself the browser says so: until then it may grow.
    if (due >= range.end && range.end < count) end()
    else if (due < range.start) position.jump(range.start)
    else if (due !== position.frame) {
      position.follow()
      on.frame(position.frame, false)
    }
  }
  listen(parts, () => isPlaying, end)
  signal.addEventListener('abort', stop, { once: true })
  return {
    get isPlaying() {
      return isPlaying
    },
    start() {
      isPlaying = true
      request = requestAnimationFrame(tick)
      begin()
    },
    stop,
  }
}
