import { isVidError, type VidError } from '@vid/protocol'
import { type CompositionView, openView } from './composition-view.ts'
import { playerFailure } from './errors.ts'
import { type FrameTimes, frameTimes } from './frame-times.ts'
import { openSource } from './page-source.ts'
import { createPlayback, type Playback, type PlaybackParts } from './playback.ts'
import { NOT_PREPARED, type PageOpening } from './player-page.ts'
import { openSound } from './sound/open-sound.ts'

/** A composition that is open in a player. */
export interface PlayerSession {
  readonly view: CompositionView
  readonly times: FrameTimes
  readonly playback: Playback
  setVolume(volume: number): void
}

/** How a composition is opened. */
export interface SessionOpening extends Omit<PageOpening, 'source'> {
  onReplay(done: number, total: number): void
  readonly on: PlaybackParts['on']
  /** Speed and range are read when they are needed. */
  settings(count: number): ReturnType<PlaybackParts['settings']>
}

/** Loads a composition and everything that plays it; throws a VidError, or the reason of an abort. */
export const openSession = async (opening: SessionOpening): Promise<PlayerSession> => {
  const { src, signal, onReplay, on, settings } = opening
  try {
    const view = await openSource(src, signal, (source) => openView({ ...opening, source }, onReplay))
    const { duration } = view.composition
    if (duration === null || !(duration > 0)) {
      view.close()
      throw playerFailure('VID_PLAYER_NO_LENGTH', { src })
    }
    const times = frameTimes(view.composition, duration)
    const sound = openSound(view, times)
    const playback = createPlayback({ view, times, sound, on, settings: () => settings(times.count) })
    return { view, times, playback, setVolume: sound.setVolume }
  } catch (thrown) {
    signal.throwIfAborted()
    throw asFailure(thrown, src)
  }
}

/** An error of a player from anything that was thrown. */
export const asFailure = (thrown: unknown, src: string): VidError => {
  if (isVidError(thrown)) return thrown
  if (thrown === NOT_PREPARED) return playerFailure('VID_PLAYER_NOT_READY', { src, reason: 'its script did not start' })
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return playerFailure('VID_PLAYER_LOAD', { src, reason }, { cause: thrown })
}
