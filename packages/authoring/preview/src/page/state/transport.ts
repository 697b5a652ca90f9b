import { framesIn } from '@vid/protocol'
import { tell } from './notices.ts'
import {
  frame,
  frames,
  inOut,
  isExact,
  isLooping,
  isMuted,
  isPlaying,
  player,
  range,
  rate,
  speed,
  volume,
} from './playback.ts'

let backwards = 0

const stopBackwards = () => {
  cancelAnimationFrame(backwards)
  backwards = 0
}

/** Shows a frame; the nearest there is. */
export const seek = (target: number): void => {
  const nearest = Math.min(Math.max(0, Math.round(target)), Math.max(0, frames.value - 1))
  frame.value = nearest
  isExact.value = false
  // The player's event reports a failure.
  player.value?.seekFrame(nearest).catch(() => undefined)
}

/** Stops, at the frame that is shown. */
export const pause = (): void => {
  if (backwards !== 0) {
    stopBackwards()
    isPlaying.value = false
  }
  player.value?.pause()
}

/** Goes back in real time by showing earlier frames, as many as can be shown. */
const playBackwards = () => {
  player.value?.pause()
  stopBackwards()
  const from = frame.value
  const since = performance.now()
  let isBusy = false
  const tick = () => {
    backwards = requestAnimationFrame(tick)
    const seconds = ((performance.now() - since) / 1000) * -speed.value
    const due = Math.max(range.value.start, from - Math.floor(framesIn(seconds, rate.value)))
    if (due <= range.value.start) pause()
    if (isBusy || due === frame.value) return
    isBusy = true
    frame.value = due
    player.value
      ?.seekFrame(due)
      .catch(() => pause())
      .finally(() => {
        isBusy = false
      })
  }
  isPlaying.value = true
  backwards = requestAnimationFrame(tick)
}

/** Plays, forwards or backwards as the speed says. */
export const play = (): void => {
  if (speed.value < 0) {
    playBackwards()
    return
  }
  stopBackwards()
  player.value?.play().catch(() => undefined)
}

/** Plays what stands, and stops what plays. */
export const toggle = (): void => {
  if (isPlaying.value) {
    pause()
    return
  }
  if (speed.value < 0) setSpeed(1)
  play()
}

/** Sets the speed; what plays goes on with it. */
export const setSpeed = (value: number): void => {
  const wasBackwards = backwards !== 0
  speed.value = value
  if (player.value && value > 0) player.value.playbackRate = value
  if (isPlaying.value && (value < 0 || wasBackwards)) play()
}

/** The speeds of J and L: each press doubles them. */
const MAX_SHUTTLE = 4

/** Plays forwards (1) or backwards (-1); once more doubles the speed. */
export const shuttle = (direction: 1 | -1): void => {
  const goesThere = isPlaying.value && Math.sign(speed.value) === direction
  const size = goesThere ? Math.min(MAX_SHUTTLE, Math.abs(speed.value) * 2) : 1
  setSpeed(direction * size)
  if (!goesThere) play()
}

/** Shows the frame that is so many frames away. */
export const step = (offset: number): void => {
  pause()
  seek(frame.value + offset)
}

/** Shows the frame that is so many seconds away. */
export const stepSeconds = (offset: number): void => step(Math.round(framesIn(offset, rate.value)))

const setInOut = (start: number | null, end: number | null) => {
  const isOrdered = start === null || end === null || start < end
  inOut.value = isOrdered ? { start, end } : inOut.value
  if (!isOrdered) tell('The range must begin before it ends.', true)
}

/** Begins the range at the shown frame; a range that ended before it is replaced. */
export const markIn = (): void => {
  const { end } = inOut.value
  setInOut(frame.value, end !== null && end <= frame.value ? null : end)
}

/** Ends the range after the shown frame. */
export const markOut = (): void => {
  const { start } = inOut.value
  setInOut(start !== null && start > frame.value ? null : start, frame.value + 1)
}

/** Plays all again. */
export const clearRange = (): void => setInOut(null, null)

/** Repeats what is played, or no longer. */
export const toggleLoop = (): void => {
  isLooping.value = !isLooping.value
}

/** Mutes, or no longer. */
export const toggleMute = (): void => {
  isMuted.value = !isMuted.value
}

/** Sets the volume, 0 … 1, and no longer mutes. */
export const setVolume = (value: number): void => {
  volume.value = value
  isMuted.value = value === 0
}
