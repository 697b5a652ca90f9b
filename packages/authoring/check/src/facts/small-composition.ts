import {
  type ChangedPicture,
  type FoundStates,
  isEdited,
  stepEditedStates,
  stepStates,
  withSmallComposition,
} from '@vid/analysis'
import { readSourceElements } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import type { CompositionCaptions, CompositionPicture, CompositionVoice } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import type { CompositionOptions, CompositionSettings, OpenComposition, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import type { CompositionEdit } from './composition-history.ts'
import { type CompositionParts, compositionParts } from './composition-parts.ts'
import { createElementList, type ElementList } from './element-list.ts'
import { type FollowedPage, followPage, openFirstFrame } from './follow-page.ts'
import { createGrids } from './picture-grid.ts'
import { readCompositionCaptions } from './read-captions.ts'
import { readVoices } from './voices.ts'

/** What is known of a composition without large pictures. */
export interface SmallComposition {
  readonly plan: RenderPlan
  /** The edit since it was found before, where only that was looked at. */
  readonly edit: CompositionEdit | undefined
  readonly elements: ElementList
  readonly followed: FollowedPage
  readonly parts: CompositionParts
  readonly states: FoundStates
  readonly pictures: readonly CompositionPicture[]
  readonly voices: readonly CompositionVoice[]
  readonly captions: readonly CompositionCaptions[]
  readonly lint: Awaited<ReturnType<typeof lintComposition>>
}

/** How it is stopped, and who hears how far it is. */
export interface SmallCompositionOptions extends Pick<CompositionOptions, 'signal' | 'onWarning'> {
  onProgress?(done: number, total: number): void
}

/** Steps the pictures of a composition, after an edit only where it can be seen. */
const step = async (
  composition: OpenComposition,
  outline: Promise<PageOutline>,
  edit: CompositionEdit | undefined,
): Promise<Pick<SmallComposition, 'states' | 'pictures'> | undefined> => {
  const pictures: CompositionPicture[] = []
  const gridOf = createGrids(composition.plan)
  const onPicture = (picture: ChangedPicture) => void pictures.push(gridOf(picture))
  if (!edit) return { states: await stepStates(composition, { onPicture }, outline), pictures }
  const { history, ranges, isHeard } = edit
  const before = { states: history.states, ranges, isHeard }
  const states = await stepEditedStates(composition, { onPicture }, outline, before)
  const all = [
    ...history.pictures.filter(({ frame }) => !isEdited(ranges, frame)),
    ...pictures.filter(({ frame }) => isEdited(ranges, frame)),
  ]
  return states && { states, pictures: all.sort((one, other) => one.frame - other.frame) }
}

/** Looks at an open composition in two pages; undefined where an edit is seen in more frames than its text says. */
const readOpen = async (
  composition: OpenComposition,
  edit: CompositionEdit | undefined,
  { signal, onProgress }: SmallCompositionOptions,
): Promise<SmallComposition | undefined> => {
  const { plan, request } = composition
  const elements = createElementList(await readSourceElements(request.projectDir, request.entry, { signal }))
  const opening = openFirstFrame(composition)
  const before = edit && { record: edit.history.record, ranges: edit.ranges }
  const follow = async () => {
    const first = await opening
    const followed = await followPage(
      composition,
      first,
      elements,
      (frames) => onProgress?.(frames, plan.frames),
      before,
    )
    const parts = followed && compositionParts(followed, plan)
    if (!parts) return undefined
    const voices = edit && !edit.isHeard ? edit.history.voices : await readVoices(composition, parts.media)
    return { followed, parts, voices, captions: await readCompositionCaptions(composition, followed) }
  }
  const outline = opening.then((first) => first.outline)
  const [stepped, examined, lint] = await Promise.all([
    step(composition, outline, edit),
    follow(),
    lintComposition(request.projectDir, request.entry, { signal }),
  ])
  return stepped && examined && { plan, elements, edit, ...stepped, ...examined, lint }
}

/**
 * Goes through a composition in two pages beside each other: one is drawn small, the other examined in each of its frames. With
 * what was found before an edit, through the frames in which that can be seen.
 */
export const readSmallComposition = (
  renderer: Pick<Renderer, 'withComposition'>,
  settings: CompositionSettings,
  options: SmallCompositionOptions,
  findEdit: (plan: RenderPlan) => CompositionEdit | undefined,
): Promise<SmallComposition> =>
  withSmallComposition(renderer, settings, options, async (composition) => {
    const small =
      (await readOpen(composition, findEdit(composition.plan), options)) ??
      (await readOpen(composition, undefined, options))
    if (!small) throw new TypeError('every frame of a composition was looked at, and some of it is missing')
    return small
  })
