import type { FrameTimes } from '../frame-times.ts'

/** The frame that a video is at. */
export interface VideoPosition {
  readonly frame: number
  /** Sends the video to a frame, the nearest that there is. */
  jump(frame: number): void
  /** Resolves when that frame, or one of a later call, is shown; rejects when nothing more can be. */
  seek(frame: number): Promise<void>
  /** Takes the frame at which the video is now. */
  follow(): void
}

/** Resolves when the video shows where it was last sent. */
const settled = (video: HTMLVideoElement, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(signal.reason)
    const finish = () => {
      if (video.seeking) return
      video.removeEventListener('seeked', finish)
      signal.removeEventListener('abort', fail)
      resolve()
    }
    signal.addEventListener('abort', fail, { once: true })
    video.addEventListener('seeked', finish)
    if (signal.aborted) fail()
    finish()
  })

/** Finds frames in a video by its time. */
export const createVideoPosition = (
  video: HTMLVideoElement,
  currentTimes: () => FrameTimes,
  signal: AbortSignal,
): VideoPosition => {
  let frame = 0
  const jump = (target: number) => {
    const times = currentTimes()
    frame = times.clamp(target)
    // The middle of the frame: rounding leads to none beside it.
    video.currentTime = (times.timeOf(frame) + times.timeOf(frame + 1)) / 2
  }
  return {
    get frame() {
      return frame
    },
    jump,
    async seek(target) {
      jump(target)
      await settled(video, signal)
    },
    follow() {
      const times = currentTimes()
      frame = times.clamp(times.frameAt(video.currentTime))
    },
  }
}
