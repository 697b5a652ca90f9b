import { readSourceElements } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import { type FoundStates, stepStates, withSmallFilm } from '@vid/film'
import type { FilmPicture, FilmVoice, RenderPlan } from '@vid/kernel'
import type { FilmOptions, FilmSettings, OpenFilm, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { createElementList, type ElementList } from './element-list.ts'
import { type FilmParts, filmParts } from './film-parts.ts'
import { type FollowedPage, followPage, openFirstFrame } from './follow-page.ts'
import { gridOf } from './picture-grid.ts'
import { readVoices } from './voices.ts'

/** What is known of a film without large pictures. */
export interface SmallFilm {
  readonly plan: RenderPlan
  readonly elements: ElementList
  readonly followed: FollowedPage
  readonly parts: FilmParts
  readonly states: FoundStates
  readonly pictures: readonly FilmPicture[]
  readonly voices: readonly FilmVoice[]
  readonly lint: Awaited<ReturnType<typeof lintComposition>>
}

/** How it is stopped, and who hears how far it is. */
export interface SmallFilmOptions extends Pick<FilmOptions, 'signal' | 'onWarning'> {
  onProgress?(done: number, total: number): void
}

const step = async (film: OpenFilm, outline: Promise<PageOutline>) => {
  const pictures: FilmPicture[] = []
  const onPicture = (picture: { frame: number; pixels: Uint8Array }, size: { width: number; height: number }) =>
    void pictures.push(gridOf(picture.frame, picture.pixels, size))
  return { states: await stepStates(film, { onPicture }, outline), pictures }
}

/** Goes through a film in two pages beside each other: one is drawn small, the other examined in each of its frames. */
export const readSmallFilm = (
  renderer: Pick<Renderer, 'withFilm'>,
  settings: FilmSettings,
  { onProgress, ...options }: SmallFilmOptions,
): Promise<SmallFilm> =>
  withSmallFilm(renderer, settings, options, async (film) => {
    const { plan, request } = film
    const { signal } = options
    const elements = createElementList(await readSourceElements(request.projectDir, request.entry, { signal }))
    const opening = openFirstFrame(film)
    const follow = async () => {
      const followed = await followPage(film, await opening, elements, (frames) => onProgress?.(frames, plan.frames))
      const parts = filmParts(followed, plan)
      return { followed, parts, voices: await readVoices(film, parts.media) }
    }
    const [stepped, examined, lint] = await Promise.all([
      step(
        film,
        opening.then(({ outline }) => outline),
      ),
      follow(),
      lintComposition(request.projectDir, request.entry, { signal }),
    ])
    return { plan, elements, ...stepped, ...examined, lint }
  })
