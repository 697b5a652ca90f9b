import type { Playback } from '../player-session.ts'
import { createVideoPosition } from './video-position.ts'
import { createVideoRun, type VideoRunParts } from './video-run.ts'

/** What the playback of a video reads, and reports to. */
export interface VideoPlaybackParts extends Omit<VideoRunParts, 'position'> {
  /** Whether more of the video may come. */
  isGrowing(): boolean
  close(): void
}

/** Plays a video by frames, as a composition is played. */
export const createVideoPlayback = (parts: VideoPlaybackParts): Playback => {
  const { video, on, signal, settings, times } = parts
  const position = createVideoPosition(video, times, signal)
  const run = createVideoRun({ ...parts, position })
  const seek = async (frame: number) => {
    await position.seek(frame)
    on.frame(position.frame, !run.isPlaying)
  }
  return {
    get frame() {
      return position.frame
    },
    get time() {
      return run.isPlaying ? video.currentTime : times().timeOf(position.frame)
    },
    get isPlaying() {
      return run.isPlaying
    },
    play() {
      if (run.isPlaying) return
      const { range } = settings()
      const isLast = position.frame >= range.end - 1
      const isFinal = range.end < times().count || !parts.isGrowing()
      if (position.frame < range.start || (isLast && isFinal)) position.jump(range.start)
      run.start()
    },
    async pause() {
      if (!run.isPlaying) return
      run.stop()
      await seek(times().frameAt(video.currentTime))
    },
    seek,
    update() {
      video.playbackRate = settings().rate
    },
    close() {
      run.stop()
      parts.close()
    },
  }
}
