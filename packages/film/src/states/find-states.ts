import { isVidError } from '@vid/kernel'
import type { FilmOptions, FilmSettings, OpenFilm, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { readOutline } from '../outline/read-outline.ts'
import type { FilmSound } from '../sound/film-sound.ts'
import { readSound } from '../sound/read-sound.ts'
import type { FilmStates } from './film-states.ts'
import { groupStates } from './group-states.ts'
import { findMoments } from './moments.ts'
import { type ChangedPicture, type FilmChange, stepFilm } from './step-film.ts'

/** Length of the longer side of the pictures that are compared, in pixels: a changed letter still changes some of them. */
const SIDE = 320

/** The states of a film, and what they were found by. */
export interface FoundStates extends FilmStates {
  /** Seconds. */
  readonly duration: number
  readonly outline: PageOutline
  readonly sound: FilmSound | null
}

/** How the search for states is stopped, and who hears how far it is. */
export interface StatesOptions extends Pick<FilmOptions, 'signal' | 'onWarning'> {
  /** What the page holds, where the caller reads it anyway; left out, a page is opened for it. */
  readonly outline?: Promise<PageOutline>
  /** Called with the frames that were compared, and how many there are. */
  onProgress?(stepped: number, frames: number): void
  /** Called with the small picture of each frame that differs from the one before, and its size. */
  onPicture?(picture: ChangedPicture, size: { readonly width: number; readonly height: number }): void
}

/** What the page holds, asked of it at its first frame. */
const outlineOf = async ({ run, plan }: OpenFilm): Promise<PageOutline> => {
  const page = run.examine(plan)
  try {
    return await readOutline(await page.show(0))
  } finally {
    await page.close()
  }
}

/** Steps an open film once, from its first frame to its last. */
const stepStates = async (
  film: OpenFilm,
  { outline: shared, onProgress, onPicture }: Pick<StatesOptions, 'outline' | 'onProgress' | 'onPicture'>,
): Promise<FoundStates> => {
  const { run, plan } = film
  const { frames, fps, duration, width, height } = plan
  const reading = Promise.all([shared ?? outlineOf(film), readSound(film)])
  reading.catch(() => undefined)
  const changes: FilmChange[] = []
  const pictures = run.frames(plan, { start: 0, frames }, ['rgba', 'png'])
  for await (const change of stepFilm(pictures, (picture) => onPicture?.(picture, { width, height }))) {
    changes.push(change)
    onProgress?.(change.frame + 1, frames)
  }
  onProgress?.(frames, frames)
  const [outline, sound] = await reading
  const moments = findMoments({ outline, onsets: sound?.onsets ?? [], changes, frames, fps })
  return {
    frames,
    duration,
    states: groupStates(changes, moments, frames),
    moments,
    changes: changes.map(({ frame }) => frame),
    width,
    height,
    outline,
    sound,
  }
}

/**
 * Finds every distinct state of a composition: it goes through all frames of the real page once, in small pictures. The
 * browser stays open in the pool of the renderer.
 */
export const findStates = async (
  renderer: Pick<Renderer, 'withFilm'>,
  settings: FilmSettings,
  { signal, onWarning, ...observers }: StatesOptions,
): Promise<FoundStates> => {
  const step = async (size: Pick<FilmSettings, 'side'>) => {
    const { resolution: _, scale: __, ...film } = settings
    const { result } = await renderer.withFilm({ ...film, ...size }, (open) => stepStates(open, observers), {
      signal,
      ...(onWarning && { onWarning }),
    })
    return result
  }
  return step({ side: SIDE }).catch((thrown: unknown) => {
    // A plugin has given the picture another shape.
    if (isVidError(thrown) && thrown.code === 'VID_SCALE_UNFIT') return step({})
    // The fastest lane does not fit this page after all, and will not be used for it again.
    if (isVidError(thrown) && thrown.code === 'VID_LANE_UNFIT') return step({ side: SIDE })
    throw thrown
  })
}
