import { placeTrack, readTrack } from '@vid/captions'
import type { FilmCaptions } from '@vid/kernel'
import type { CaptionsUse } from '@vid/protocol'
import type { OpenFilm } from '@vid/render'
import type { FollowedPage } from './follow-page.ts'

/** The captions of a track; none for a file that cannot be read, of which the page warns where it draws it. */
const readOne = async (
  { run, plan }: OpenFilm,
  use: CaptionsUse,
  element: number | null,
): Promise<readonly FilmCaptions[]> => {
  const { sources } = run.context({ name: '@vid/check', options: {} })
  const captions = await readTrack(use, sources).catch(() => undefined)
  run.signal.throwIfAborted()
  if (!captions) return []
  const cues = placeTrack(captions, use, { start: 0, end: plan.duration })
  return [
    {
      language: use.language || captions.language || '',
      file: use.name,
      element,
      cues: cues.map(({ start, end, text }) => ({ start, end, text })),
    },
  ]
}

/** The captions of a film, track by track. */
export const readCaptions = async (
  film: OpenFilm,
  { outline, placed }: Pick<FollowedPage, 'outline' | 'placed'>,
): Promise<readonly FilmCaptions[]> => {
  const elementOf = (name: string) => placed.sources.find(({ src }) => src.trim() === name)?.element ?? null
  return (await Promise.all(outline.captions.map((use) => readOne(film, use, elementOf(use.name))))).flat()
}
