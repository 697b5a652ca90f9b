import type { PageCaptions } from '../../contract/captions.ts'
import { readPlayback } from '../document/playback.ts'
import type { TimeWindows } from '../document/windows.ts'
import { isIncluded, windowsAround } from '../document/windows-around.ts'
import { addressOf } from './media-source.ts'

/** Those of some tracks that have captions or subtitles and are not hidden. */
export const listCaptions = (tracks: readonly HTMLTrackElement[], windows: TimeWindows): PageCaptions[] =>
  tracks.flatMap((track): PageCaptions[] => {
    const { kind } = track
    if (!isIncluded(track) || (kind !== 'captions' && kind !== 'subtitles')) return []
    const around = windowsAround(track, windows)
    const end = Math.min(...around.map((window) => window.end))
    const media = track.closest('video,audio')
    const { mediaStart, rate } = readPlayback(media ?? track)
    const name = track.getAttribute('src')?.trim() ?? ''
    return [
      {
        name,
        src: (name !== '' && addressOf(name, track.baseURI)) || null,
        kind,
        language: track.srclang,
        label: track.label,
        start: around[0]?.start ?? 0,
        from: Math.max(0, ...around.map((window) => window.start)),
        until: Number.isFinite(end) ? end : null,
        mediaStart: track.hasAttribute('data-media-start') ? readPlayback(track).mediaStart : mediaStart,
        rate: media ? rate : 1,
      },
    ]
  })
