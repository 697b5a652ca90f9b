import type { PageCaptions } from '../../contract/captions.ts'
import { readPlayback } from '../document/playback.ts'
import type { TimeWindow, TimeWindows } from '../document/windows.ts'
import { addressOf } from './media-source.ts'

/** The windows of an element and of those around it, the nearest first. */
const windowsAround = (element: Element, { of }: TimeWindows): TimeWindow[] => {
  const windows: TimeWindow[] = []
  for (let around: Element | null = element; around; around = around.parentElement) {
    const window = of.get(around)
    if (window) windows.push(window)
  }
  return windows
}

/** The tracks with captions or subtitles that are not hidden, in document order. */
export const listCaptions = (windows: TimeWindows): PageCaptions[] =>
  [...document.querySelectorAll('track')].flatMap((track): PageCaptions[] => {
    const isShown = track.closest('[data-hidden]:not([data-hidden="false"])') === null
    const { kind } = track
    if (!isShown || (kind !== 'captions' && kind !== 'subtitles')) return []
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
