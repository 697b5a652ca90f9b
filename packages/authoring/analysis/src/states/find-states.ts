import { isVidError } from '@vid/protocol'
import type { CompositionOptions, CompositionSettings, OpenComposition, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { readOutline } from '../outline/read-outline.ts'
import type { CompositionSound } from '../sound/composition-sound.ts'
import { readSound } from '../sound/read-sound.ts'
import type { CompositionStates } from './composition-states.ts'
import { groupStates } from './group-states.ts'
import { findMoments } from './moments.ts'
import { type EditedRange, stepEdited } from './step-edited.ts'
import { type ChangedPicture, type PictureChange, stepFrames } from './step-frames.ts'

/** Length of the longer side of the pictures that are compared, in pixels: a changed letter still changes some of them. */
const SIDE = 320

/** The states of a composition, and what they were found by. */
export interface FoundStates extends CompositionStates {
  /** The frames of `changes`, with what they look like. */
  readonly steps: readonly PictureChange[]
  /** Seconds. */
  readonly duration: number
  readonly outline: PageOutline
  readonly sound: CompositionSound | null
}

/** How the search for states is stopped, and where its progress and warnings go. */
export interface StatesOptions extends StatesObservers, Pick<CompositionOptions, 'signal' | 'onWarning'> {}

/** Who hears how far the search for states is. */
export interface StatesObservers {
  /** Called with the frames that were compared, and how many there are. */
  onProgress?(stepped: number, frames: number): void
  /** Called with the small picture of each frame that differs from the one before; it has the size of the plan. */
  onPicture?(picture: ChangedPicture): void
}

/** What the page holds, asked of it at its first frame. */
const outlineOf = async ({ run, plan }: OpenComposition): Promise<PageOutline> => {
  const page = run.examine(plan)
  try {
    return await readOutline(await page.show(0))
  } finally {
    await page.close()
  }
}

const createStep =
  ({ run, plan }: OpenComposition, { onPicture }: StatesObservers) =>
  (start: number, end: number) =>
    stepFrames(run.frames(plan, { start, frames: end - start }, ['rgba', 'png']), onPicture)

const statesOf = (
  { plan: { frames, fps, duration, width, height } }: OpenComposition,
  changes: readonly PictureChange[],
  outline: PageOutline,
  sound: CompositionSound | null,
): FoundStates => {
  const moments = findMoments({ outline, onsets: sound?.onsets ?? [], changes, frames, fps })
  return {
    frames,
    duration,
    states: groupStates(changes, moments, frames),
    moments,
    steps: changes,
    changes: changes.map(({ frame }) => frame),
    width,
    height,
    outline,
    sound,
  }
}

/**
 * Steps an open composition once, from its first frame to its last. Where the caller reads its `outline` anyway, no page is
 * opened for that.
 */
export const stepStates = async (
  composition: OpenComposition,
  observers: StatesObservers,
  outline: Promise<PageOutline> = outlineOf(composition),
): Promise<FoundStates> => {
  const { frames } = composition.plan
  const reading = Promise.all([outline, readSound(composition)])
  reading.catch(() => undefined)
  const changes: PictureChange[] = []
  for await (const change of createStep(composition, observers)(0, frames)) {
    changes.push(change)
    observers.onProgress?.(change.frame + 1, frames)
  }
  observers.onProgress?.(frames, frames)
  return statesOf(composition, changes, ...(await reading))
}

/** A composition that was stepped before an edit. */
export interface StatesBefore {
  readonly states: FoundStates
  /** Frames in which the edit can be seen. */
  readonly ranges: readonly EditedRange[]
  /** Whether it can be heard. */
  readonly isHeard: boolean
}

/** Steps a composition again where an edit can be seen; undefined where a frame beside that differs too. */
export const stepEditedStates = async (
  composition: OpenComposition,
  observers: StatesObservers,
  outline: Promise<PageOutline>,
  { states, ranges, isHeard }: StatesBefore,
): Promise<FoundStates | undefined> => {
  const reading = Promise.all([outline, isHeard ? readSound(composition) : states.sound])
  reading.catch(() => undefined)
  const step = createStep(composition, observers)
  const changes = await stepEdited({ step, frames: composition.plan.frames, before: states.steps, ranges })
  return changes && statesOf(composition, changes, ...(await reading))
}

/** Opens a composition for small pictures of it, again where a plugin or its page does not allow the fastest way. */
export const withSmallComposition = async <T>(
  renderer: Pick<Renderer, 'withComposition'>,
  settings: CompositionSettings,
  options: Pick<CompositionOptions, 'signal' | 'onWarning'>,
  work: (open: OpenComposition) => Promise<T>,
): Promise<T> => {
  const open = async (size: Pick<CompositionSettings, 'side'>) => {
    const { resolution: _, scale: __, ...composition } = settings
    return (await renderer.withComposition({ ...composition, ...size }, work, options)).result
  }
  return open({ side: SIDE }).catch((thrown: unknown) => {
    // A plugin has given the picture another shape.
    if (isVidError(thrown) && thrown.code === 'VID_SCALE_UNFIT') return open({})
    // The fastest lane does not fit this page after all, and will not be used for it again.
    if (isVidError(thrown) && thrown.code === 'VID_LANE_UNFIT') return open({ side: SIDE })
    throw thrown
  })
}

/**
 * Finds every distinct state of a composition: it goes through all frames of the real page once, in small pictures. The
 * browser stays open in the pool of the renderer.
 */
export const findStates = (
  renderer: Pick<Renderer, 'withComposition'>,
  settings: CompositionSettings,
  { signal, onWarning, ...observers }: StatesOptions,
): Promise<FoundStates> =>
  withSmallComposition(renderer, settings, { signal, ...(onWarning && { onWarning }) }, (open) =>
    stepStates(open, observers),
  )
