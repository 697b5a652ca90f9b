import type { Captions } from '../model/cue.ts'
import { readCaptions } from '../read/read-captions.ts'

/** A captions track of a page, as the page describes it. */
interface PageTrack {
  /** As written. */
  readonly src: string
  readonly language: string
  /** The content of the file; null where it cannot be read. */
  readonly text: string | null
  /** Positions of the timed elements around it, the nearest first, among all of the page. */
  readonly around: readonly number[]
  readonly mediaStart: number
  readonly rate: number
}

/** A captions track of a composition, with its file. */
export interface FilmTrack extends Omit<PageTrack, 'text' | 'language'> {
  readonly captions: Captions
  /** Empty where neither the track nor its file names one. */
  readonly language: string
}

/** Describes the tracks of the page that runs it; it is sent there as text. */
const describeTracks = `(async () => {
  const timed = [...document.querySelectorAll('[data-start],[data-composition-src]')]
  const root = document.querySelector('[data-vid-root]')
  const number = (element, ...names) =>
    names.map((name) => Number.parseFloat(element?.getAttribute(name) ?? '')).find(Number.isFinite)
  const tracks = [...document.querySelectorAll('track')].filter(
    (track) => /^(captions|subtitles)$/.test(track.kind) && !track.closest('[data-hidden]:not([data-hidden="false"])'),
  )
  return Promise.all(tracks.map(async (track) => {
    const around = []
    for (let element = track; element && element !== root; element = element.parentElement)
      if (timed.includes(element)) around.push(timed.indexOf(element))
    const media = track.closest('video,audio')
    const text = await fetch(track.src).then((answer) => (answer.ok ? answer.text() : null), () => null)
    return {
      src: track.getAttribute('src') ?? '',
      language: track.srclang,
      text,
      around,
      mediaStart: number(track, 'data-media-start') ?? number(media, 'data-media-start', 'data-playback-start') ?? 0,
      rate: number(media, 'data-playback-rate') ?? 1,
    }
  }))
})()`

/** Reads the captions tracks of a shown page; VID_CAPTIONS_BROKEN and `onMissing` name files that cannot be read. */
export const readTracks = async (
  page: { evaluate(expression: string): Promise<unknown> },
  onMissing: (src: string) => Error,
): Promise<readonly FilmTrack[]> => {
  const tracks = (await page.evaluate(describeTracks)) as readonly PageTrack[]
  return tracks.map(({ text, language, ...track }) => {
    if (text === null) throw onMissing(track.src)
    const { captions } = readCaptions({ file: track.src, text, format: 'vtt' })
    return { ...track, captions, language: language || captions.language || '' }
  })
}
