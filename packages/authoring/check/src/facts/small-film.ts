import {
  type ChangedPicture,
  type FoundStates,
  isEdited,
  stepEditedStates,
  stepStates,
  withSmallFilm,
} from '@vid/analysis'
import { readSourceElements } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import type { FilmCaptions, FilmPicture, FilmVoice } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import type { FilmOptions, FilmSettings, OpenFilm, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { createElementList, type ElementList } from './element-list.ts'
import type { FilmEdit } from './film-history.ts'
import { type FilmParts, filmParts } from './film-parts.ts'
import { type FollowedPage, followPage, openFirstFrame } from './follow-page.ts'
import { createGrids } from './picture-grid.ts'
import { readCaptions } from './read-captions.ts'
import { readVoices } from './voices.ts'

/** What is known of a film without large pictures. */
export interface SmallFilm {
  readonly plan: RenderPlan
  /** The edit since it was found before, where only that was looked at. */
  readonly edit: FilmEdit | undefined
  readonly elements: ElementList
  readonly followed: FollowedPage
  readonly parts: FilmParts
  readonly states: FoundStates
  readonly pictures: readonly FilmPicture[]
  readonly voices: readonly FilmVoice[]
  readonly captions: readonly FilmCaptions[]
  readonly lint: Awaited<ReturnType<typeof lintComposition>>
}

/** How it is stopped, and who hears how far it is. */
export interface SmallFilmOptions extends Pick<FilmOptions, 'signal' | 'onWarning'> {
  onProgress?(done: number, total: number): void
}

/** Steps the pictures of a film, after an edit only where it can be seen. */
const step = async (
  film: OpenFilm,
  outline: Promise<PageOutline>,
  edit: FilmEdit | undefined,
): Promise<Pick<SmallFilm, 'states' | 'pictures'> | undefined> => {
  const pictures: FilmPicture[] = []
  const gridOf = createGrids(film.plan)
  const onPicture = (picture: ChangedPicture) => void pictures.push(gridOf(picture))
  if (!edit) return { states: await stepStates(film, { onPicture }, outline), pictures }
  const { history, ranges, isHeard } = edit
  const before = { states: history.states, ranges, isHeard }
  const states = await stepEditedStates(film, { onPicture }, outline, before)
  const all = [
    ...history.pictures.filter(({ frame }) => !isEdited(ranges, frame)),
    ...pictures.filter(({ frame }) => isEdited(ranges, frame)),
  ]
  return states && { states, pictures: all.sort((one, other) => one.frame - other.frame) }
}

/** Looks at an open film in two pages; undefined where an edit is seen in more frames than its text says. */
const readOpen = async (
  film: OpenFilm,
  edit: FilmEdit | undefined,
  { signal, onProgress }: SmallFilmOptions,
): Promise<SmallFilm | undefined> => {
  const { plan, request } = film
  const elements = createElementList(await readSourceElements(request.projectDir, request.entry, { signal }))
  const opening = openFirstFrame(film)
  const before = edit && { record: edit.history.record, ranges: edit.ranges }
  const follow = async () => {
    const first = await opening
    const followed = await followPage(film, first, elements, (frames) => onProgress?.(frames, plan.frames), before)
    const parts = followed && filmParts(followed, plan)
    if (!parts) return undefined
    const voices = edit && !edit.isHeard ? edit.history.voices : await readVoices(film, parts.media)
    return { followed, parts, voices, captions: await readCaptions(film, followed) }
  }
  const outline = opening.then((first) => first.outline)
  const [stepped, examined, lint] = await Promise.all([
    step(film, outline, edit),
    follow(),
    lintComposition(request.projectDir, request.entry, { signal }),
  ])
  return stepped && examined && { plan, elements, edit, ...stepped, ...examined, lint }
}

/**
 * Goes through a film in two pages beside each other: one is drawn small, the other examined in each of its frames. With
 * what was found before an edit, through the frames in which that can be seen.
 */
export const readSmallFilm = (
  renderer: Pick<Renderer, 'withFilm'>,
  settings: FilmSettings,
  options: SmallFilmOptions,
  findEdit: (plan: RenderPlan) => FilmEdit | undefined,
): Promise<SmallFilm> =>
  withSmallFilm(renderer, settings, options, async (film) => {
    const small = (await readOpen(film, findEdit(film.plan), options)) ?? (await readOpen(film, undefined, options))
    if (!small) throw new TypeError('every frame of a film was looked at, and some of it is missing')
    return small
  })
