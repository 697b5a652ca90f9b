import { readOutline } from '@vid/film'
import { readTime, secondsOf, type Warning } from '@vid/kernel'
import type { FilmSettings, OpenFilm, Renderer } from '@vid/render'
import { fail } from '../errors.ts'
import { byStart, type Captions, type Cue } from '../model/cue.ts'
import { placeCues } from '../model/place-cues.ts'
import { type FilmTrack, readTracks } from './read-tracks.ts'

/** The film whose captions are read, and the part of it. */
export interface FilmRange extends FilmSettings {
  /** Times such as `2s`; by default all of the film. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface Window {
  readonly start: number
  readonly end: number
}

/** The windows of all timed elements, by their positions in the page. */
const windowsOf = (
  clips: Awaited<ReturnType<typeof readOutline>>['clips'],
  duration: number,
): ReadonlyMap<number, Window> =>
  new Map(
    clips.flatMap((clip): [number, Window][] => [
      [clip.index, { start: clip.start, end: clip.end ?? duration }],
      ...windowsOf(clip.clips, duration),
    ]),
  )

/** The part of a film in seconds, from its first frame to the end of its last. */
const rangeOf = ({ fps, duration }: OpenFilm['plan'], { from, to }: FilmRange): Window => {
  const at = (text: string) => secondsOf(Math.ceil(readTime(text, { fps, duration }) - 1e-3), fps)
  return { start: from === undefined ? 0 : at(from), end: to === undefined ? duration : Math.min(at(to), duration) }
}

const placeTrack = (track: FilmTrack, windows: ReadonlyMap<number, Window>, range: Window): Cue[] => {
  const around = track.around.flatMap((index) => windows.get(index) ?? [])
  return placeCues(track.captions, {
    start: (around[0]?.start ?? 0) - range.start,
    mediaStart: track.mediaStart,
    rate: track.rate,
    from: Math.max(range.start, ...around.map(({ start }) => start)) - range.start,
    until: Math.min(range.end, ...around.map(({ end }) => end)) - range.start,
  })
}

/** The captions of a film in its time, by language; the tracks of a language are joined. */
export const readFilmCaptions = async (
  renderer: Renderer,
  settings: FilmRange,
  options: { readonly signal: AbortSignal; readonly onWarning?: (warning: Warning) => void },
): Promise<ReadonlyMap<string, Captions>> => {
  const { from, to, ...film } = settings
  const { result } = await renderer.withFilm(
    film,
    async ({ run, plan }) => {
      const page = run.examine(plan)
      try {
        const shown = await page.show(0)
        const windows = windowsOf((await readOutline(shown)).clips, plan.duration)
        const tracks = await readTracks(shown, (src) => fail('VID_CAPTIONS_TRACK', { src }))
        const range = rangeOf(plan, { from, to })
        const captions = new Map<string, Captions>()
        for (const track of tracks) {
          const { language } = track
          const cues = [...(captions.get(language)?.cues ?? []), ...placeTrack(track, windows, range)]
          captions.set(language, { cues: byStart(cues), ...(language !== '' && { language }) })
        }
        return captions
      } finally {
        await page.close()
      }
    },
    options,
  )
  return result
}
