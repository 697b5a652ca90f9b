import { readSourceElements } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import { type FoundStates, findStates, type StatesOptions } from '@vid/film'
import {
  type FilmFacts,
  type FilmImage,
  type FilmPicture,
  type FilmProblem,
  layoutSize,
  type Warning,
} from '@vid/kernel'
import type { FilmOptions, FilmSettings, OpenFilm, Renderer } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { groupBy } from '../group-by.ts'
import { contrastFrames } from './contrast-frames.ts'
import { createElementList, type ListedElement } from './element-list.ts'
import { filmParts, type ListedMedia } from './film-parts.ts'
import { followPage } from './follow-page.ts'
import { measureContrasts } from './measure-contrasts.ts'
import { GRID, gridOf } from './picture-grid.ts'
import { readableSpans } from './readable.ts'
import { readVoices } from './voices.ts'

/** Length of the longer side of the pictures in which contrast is measured, in pixels. */
const SIDE = 960

/** Findings of lint that say what a run of the page cannot. */
const FROM_SOURCE = ['unregistered-timeline', 'unknown-timeline']

/** A film that was looked at. */
export interface ReadFilm {
  readonly facts: FilmFacts
  /** The elements of the facts, with what the page ignores for each. */
  readonly elements: readonly ListedElement[]
  /** Position of the root of the composition among them. */
  readonly root: number | null
}

/** How it is stopped, and who hears how far it is. */
export interface ReadOptions extends Pick<FilmOptions, 'signal'> {
  onProgress?(done: number, total: number): void
}

interface Stepped {
  readonly states: FoundStates
  readonly pictures: readonly FilmPicture[]
}

const step = async (
  renderer: Renderer,
  film: FilmSettings,
  options: Pick<StatesOptions, 'signal' | 'outline' | 'onWarning'>,
): Promise<Stepped> => {
  const pictures: FilmPicture[] = []
  const states = await findStates(renderer, film, {
    ...options,
    onPicture: ({ frame, pixels }, size) => {
      // The search begins again in a slower lane where the fastest one does not fit.
      if (frame === 0) pictures.length = 0
      pictures.push(gridOf(frame, pixels, size))
    },
  })
  return { states, pictures }
}

/** Pixels of videos as their files have them: a page loads none of them while it is followed. */
const sizedImages = (images: readonly FilmImage[], plan: OpenFilm['plan']): FilmImage[] =>
  images.flatMap((image) => {
    if (image.kind !== 'video' || image.naturalWidth > 0) return [image]
    const picture = plan.media.find(({ src }) => image.src.endsWith(src))?.source.picture
    if (!picture) return []
    return [{ ...image, naturalWidth: picture.width, naturalHeight: picture.height }]
  })

const soundOf = ({ sound }: FoundStates, voices: Awaited<ReturnType<typeof readVoices>>): FilmFacts['sound'] => {
  if (!sound) return null
  const { integrated, truePeak, truePeakAt, truePeaks, silent } = sound
  return { integrated, truePeak, truePeakAt, truePeaks, silent, voices }
}

const withoutIds = (media: readonly ListedMedia[]) => media.map(({ id: _, name: __, ...facts }) => facts)

/** The search for the states of a film, which goes on beside. */
interface Search {
  readonly stepped: Promise<Stepped>
  /** Whether it had to take screenshots, since this page cannot be drawn faster. */
  isEncoded(): boolean
  /** Gives it the outline that it waits for. */
  onOutline(outline: PageOutline): void
}

/** Looks at an open film beside the search for its states. */
const readOpen = async (
  film: OpenFilm,
  { stepped, isEncoded, onOutline }: Search,
  { signal, onProgress }: ReadOptions,
): Promise<ReadFilm> => {
  const { plan, request } = film
  const sources = await readSourceElements(request.projectDir, request.entry, { signal })
  const elements = createElementList(sources)
  const observers = { onOutline, onProgress: (frames: number) => onProgress?.(frames, plan.frames) }
  const followed = await followPage(film, elements, observers)
  const parts = filmParts(followed, plan)
  const [{ states, pictures }, voices, lint] = await Promise.all([
    stepped,
    readVoices(film, parts.media),
    lintComposition(request.projectDir, request.entry, { signal }),
  ])
  const page = layoutSize(plan, plan.scale)
  const readable = [...groupBy(followed.texts, ({ element }) => element).values()].flatMap((spans) =>
    readableSpans(spans, plan.frames / plan.duration),
  )
  const frames = contrastFrames(readable, pictures, page)
  const measuring = { texts: readable, width: page.width, isEncoded: isEncoded() }
  const contrasts = await measureContrasts(film, frames, elements, measuring)
  const { texts, images, paths, timings, placed } = followed
  const facts: FilmFacts = {
    ...page,
    fps: plan.frames / plan.duration,
    frames: plan.frames,
    duration: plan.duration,
    elements: elements.list,
    clips: parts.clips,
    motions: parts.motions,
    texts,
    contrasts,
    images: sizedImages(images, plan),
    paths,
    states: states.states.map(({ start, end, isMoving }) => ({ frames: [start, end], isMoving })),
    grid: GRID,
    pictures,
    media: withoutIds(parts.media),
    sound: soundOf(states, voices),
    problems: followed.errors,
    timings,
    sources: placed.sources,
    source: lint
      .filter(({ code }) => FROM_SOURCE.includes(code.replace('lint/', '')))
      .map(({ code, file, line, message, hint }) => ({ rule: code.replace('lint/', ''), file, line, message, hint })),
  }
  return { facts, elements: elements.list, root: placed.root }
}

const problemKey = ({ code, message }: Warning) => `${code} ${message}`

/** Gathers all that is known of a film: its states in small pictures, and each of its frames in the page. */
export const readFacts = async (renderer: Renderer, film: FilmSettings, options: ReadOptions): Promise<ReadFilm> => {
  const problems = new Map<string, FilmProblem>()
  const add = (warning: Warning) =>
    problems.set(problemKey(warning), { ...warning, frames: null, file: null, line: null })
  const { signal } = options
  // The followed page has the outline that the search for states would open another page for.
  const search = new AbortController()
  let onOutline = (_: PageOutline) => {}
  const outline = new Promise<PageOutline>((resolve, reject) => {
    onOutline = resolve
    search.signal.addEventListener('abort', () => reject(search.signal.reason), { once: true })
  })
  outline.catch(() => undefined)
  const stepped = step(renderer, film, { outline, signal: AbortSignal.any([signal, search.signal]), onWarning: add })
  stepped.catch(() => undefined)
  const isEncoded = () => [...problems.values()].some(({ code }) => code === 'VID_LANE_FALLBACK')
  const { resolution: _, scale: __, ...unscaled } = film
  const read = await renderer
    .withFilm(
      { ...unscaled, side: SIDE },
      async (open) => readOpen(open, { stepped, isEncoded, onOutline }, options),
      { signal, onWarning: add },
    )
    .then(({ result }) => result)
    .finally(() => search.abort(new Error('the page was followed')))
  // What a script threw in a frame is known with its frames.
  const isThrown = ({ code, message }: FilmProblem) =>
    code === 'VID_SCRIPT_ERROR' &&
    read.facts.problems.some((problem) => message.startsWith(problem.message.replace(/\.$/, '')))
  const others = [...problems.values()].filter((problem) => !isThrown(problem))
  return { ...read, facts: { ...read.facts, problems: [...read.facts.problems, ...others] } }
}
