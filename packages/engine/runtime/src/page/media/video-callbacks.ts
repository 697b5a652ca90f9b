import { seenAt } from '../clock/origin.ts'

/** The video frame callbacks of a page, called when a video shows a new picture. */
export interface VideoCallbacks {
  /** Records that a video shows a new picture. */
  changed(video: HTMLVideoElement): void
  /** Calls the callbacks of videos with a new picture. */
  run(seconds: number): void
  request(video: HTMLVideoElement, callback: VideoFrameRequestCallback): number
  cancel(id: number): void
  readonly size: number
}

/** Creates an empty queue. */
export const createVideoCallbacks = (): VideoCallbacks => {
  const callbacks = new Map<number, { video: HTMLVideoElement; callback: VideoFrameRequestCallback }>()
  const changed = new Set<HTMLVideoElement>()
  let lastId = 0
  let presented = 0
  return {
    changed: (video) => void changed.add(video),
    run(seconds) {
      const due = [...callbacks].filter(([, { video }]) => changed.has(video))
      changed.clear()
      presented += 1
      const now = seenAt(seconds * 1000)
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
    get size() {
      return callbacks.size
    },
  }
}
