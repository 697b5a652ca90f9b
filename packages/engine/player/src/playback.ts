import type { CompositionView } from './composition-view.ts'
import { createFrameRequests } from './frame-requests.ts'
import type { FrameTimes } from './frame-times.ts'
import { createPlayClock, machineClock } from './play-clock.ts'
import type { Playback, PlaybackEvents, PlaybackSettings } from './player-session.ts'
import type { Sound } from './sound/sound.ts'

/** Seconds between two `timeupdate` events while it plays, as browsers have them. */
const UPDATE_SECONDS = 0.25

/** What a playback reads from its player, and reports to it. */
export interface PlaybackParts {
  readonly view: CompositionView
  readonly times: FrameTimes
  readonly sound: Sound
  settings(): PlaybackSettings
  readonly on: PlaybackEvents
}

/** Creates the playback; nothing is shown before the first seek. */
export const createPlayback = ({ view, times, sound, settings, on }: PlaybackParts): Playback => {
  const clock = createPlayClock()
  let frame = 0
  let isPlaying = false
  let isAnnounced = false
  let updateTime = 0
  let request = 0

  const frames = createFrameRequests({
    show: view.show,
    onShow(report, { rate }) {
      sound.setGains(report.gains)
      on.frame(report.frame, rate === 0 && report.approximate.length === 0)
      on.report(report)
      if (rate > 0 && isPlaying && !isAnnounced) {
        isAnnounced = true
        on.playing()
      }
    },
  })
  const show = (rate: number): Promise<void> => frames.show({ frame, rate })

  /** Starts clock and sound at a time; the clock follows the sound from when that is heard. */
  const start = (seconds: number) => {
    const { rate } = settings()
    clock.follow(machineClock)
    clock.set(seconds, rate)
    sound.start({ now: clock.now, rate, until: times.timeOf(settings().range.end), follow: clock.follow })
  }
  const stop = () => {
    isPlaying = false
    cancelAnimationFrame(request)
    sound.stop()
    clock.set(times.timeOf(frame), 0)
  }
  const fail = (thrown: unknown) => {
    stop()
    on.failed(thrown)
  }

  const tick = () => {
    request = requestAnimationFrame(tick)
    const { range, loop, rate } = settings()
    const due = times.frameAt(clock.now())
    if (due >= range.end && !loop) {
      frame = range.end - 1
      stop()
      show(0).then(() => on.ended(), fail)
      return
    }
    if (due >= range.end || due < range.start) {
      frame = range.start
      start(times.timeOf(frame))
    } else if (due === frame && isAnnounced) return
    else frame = due
    // A busy page shows the frame that is due when it becomes free: pictures are dropped, never time.
    if (!frames.isBusy) show(rate).catch(fail)
    if (Math.abs(clock.now() - updateTime) >= UPDATE_SECONDS * rate) {
      updateTime = clock.now()
      on.timeupdate()
    }
  }

  return {
    get frame() {
      return frame
    },
    get time() {
      return isPlaying ? Math.min(clock.now(), times.timeOf(settings().range.end)) : times.timeOf(frame)
    },
    get isPlaying() {
      return isPlaying
    },
    play() {
      if (isPlaying) return
      isPlaying = true
      isAnnounced = false
      const { range } = settings()
      if (frame >= range.end - 1 || frame < range.start) frame = range.start
      updateTime = times.timeOf(frame)
      start(updateTime)
      request = requestAnimationFrame(tick)
    },
    async pause() {
      if (!isPlaying) return
      stop()
      await show(0)
    },
    async seek(target) {
      frame = times.clamp(target)
      if (isPlaying) start(times.timeOf(frame))
      else clock.set(times.timeOf(frame), 0)
      await show(isPlaying ? settings().rate : 0)
    },
    update() {
      if (isPlaying) start(clock.now())
    },
    close() {
      stop()
      sound.close()
      view.close()
    },
  }
}
