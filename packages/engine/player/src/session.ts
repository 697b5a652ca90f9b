import { isVidError, type VidError } from '@vid/protocol'
import { openView } from './composition-view.ts'
import { playerFailure } from './errors.ts'
import { frameTimes } from './frame-times.ts'
import { openSource } from './page-source.ts'
import { createPlayback } from './playback.ts'
import { NOT_PREPARED } from './player-page.ts'
import type { PlayerSession, SessionOpening } from './player-session.ts'
import { openSound } from './sound/open-sound.ts'
import { createCaptions } from './text/captions.ts'

const openComposition = async (opening: SessionOpening): Promise<PlayerSession> => {
  const { src, signal, onReplay, on, settings } = opening
  const view = await openSource(src, signal, (source) => openView({ ...opening, source }, onReplay))
  const { duration } = view.composition
  if (duration === null || !(duration > 0)) {
    view.close()
    throw playerFailure('VID_PLAYER_NO_LENGTH', { src })
  }
  const times = frameTimes(view.composition, duration)
  const sound = openSound(view, times)
  const playback = createPlayback({ view, times, sound, on, settings: () => settings(times.count) })
  return {
    size: view.composition,
    duration,
    times,
    playback,
    view,
    openCaptions: (stage) => createCaptions({ ...stage, view }),
    setVolume: sound.setVolume,
    reportProblems: () => undefined,
  }
}

/** Whether an address is that of an HLS video. */
const isPlaylist = (src: string): boolean => new URL(src, document.baseURI).pathname.endsWith('.m3u8')

/** Loads a composition or a video, and everything that plays it; throws a VidError, or the reason of an abort. */
export const openSession = async (opening: SessionOpening): Promise<PlayerSession> => {
  const { src, signal } = opening
  try {
    if (!isPlaylist(src)) return await openComposition(opening)
    const { openVideo } = await import('./hls-video.ts')
    signal.throwIfAborted()
    return await openVideo(opening)
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
