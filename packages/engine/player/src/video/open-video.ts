import { framesIn, ratioOf, secondsOf, type VidError } from '@vid/protocol'
import { playerFailure } from '../errors.ts'
import { type FrameTimes, frameTimes } from '../frame-times.ts'
import type { PlayerSession, SessionOpening } from '../player-session.ts'
import { videoCaptions } from '../text/video-captions.ts'
import { type HlsVideo, playHls } from './play-hls.ts'
import { createVideoPlayback } from './video-playback.ts'

/** Frames in a second by which a video is counted whose playlist has no FRAME-RATE. */
const COUNTED_RATE = 30

/** Resolves when a video shows its first frame. */
const firstFrame = (video: HTMLVideoElement, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    video.addEventListener('loadeddata', () => resolve(), { once: true })
  })

/** Problems of a video that plays: they wait until the player has announced it. */
const createProblems = (report: (problem: VidError) => void) => {
  const waiting: VidError[] = []
  let isReporting = false
  return {
    /** Leaves out reports from before the player has announced the video. */
    ifReported: (report: () => void) => () => isReporting && report(),
    add: (problem: VidError) => (isReporting ? report(problem) : void waiting.push(problem)),
    report() {
      isReporting = true
      for (const problem of waiting.splice(0)) report(problem)
    },
  }
}

const timesOf = (video: HTMLVideoElement, hls: HlsVideo): FrameTimes => {
  const rate = hls.fps ?? COUNTED_RATE
  const { num: fps, den: fpsDivisor } = ratioOf(rate)
  // Sound may be longer by a part of a packet, and lengths in a playlist are rounded.
  const frames = Math.round(framesIn(hls.seconds ?? video.duration, rate)) || 0
  return frameTimes({ fps, fpsDivisor }, secondsOf(frames, rate))
}

const sizeOf = (video: HTMLVideoElement, hls: HlsVideo) =>
  hls.size ?? { width: video.videoWidth, height: video.videoHeight }

/** An HLS video in a player, and what ends it. */
const startVideo = ({ src, picture, on, signal }: SessionOpening) => {
  const ending = new AbortController()
  const video = document.createElement('video')
  video.playsInline = true
  video.preload = 'auto'
  // Below a composition that it takes the place of.
  picture.prepend(video)
  const problems = createProblems(on.failed)
  const hls = playHls({
    video,
    address: new URL(src, document.baseURI).href,
    onUpdate: problems.ifReported(on.grown),
    onFailure(reason) {
      const failure = playerFailure('VID_PLAYER_VIDEO', { src, reason })
      problems.add(failure)
      ending.abort(failure)
    },
    onIncomplete: () => problems.add(playerFailure('VID_PLAYER_INCOMPLETE', { src })),
  })
  const close = () => {
    ending.abort(new DOMException('the video was replaced', 'AbortError'))
    hls.close()
    video.remove()
  }
  return { video, hls, problems, close, signal: AbortSignal.any([signal, ending.signal]) }
}

/** Opens an HLS video, which may still grow, and waits until it shows its first frame. */
export const openVideo = async (opening: SessionOpening): Promise<PlayerSession> => {
  const { video, hls, problems, close, signal } = startVideo(opening)
  try {
    await firstFrame(video, signal)
  } catch (thrown) {
    close()
    throw thrown
  }
  const times = () => timesOf(video, hls)
  const playback = createVideoPlayback({
    video,
    times,
    isGrowing: () => hls.isGrowing,
    settings: () => opening.settings(times().count),
    on: opening.on,
    signal,
    close,
  })
  return {
    size: sizeOf(video, hls),
    get duration() {
      return times().timeOf(times().count)
    },
    get times() {
      return times()
    },
    playback,
    openCaptions: ({ onChange }) => videoCaptions(video, onChange),
    setVolume(volume) {
      video.volume = volume
      video.muted = volume === 0
    },
    reportProblems: problems.report,
  }
}
