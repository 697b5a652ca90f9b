import { type FoundStates, isEdited, readCompositionFiles } from '@vid/analysis'
import type { CompositionFacts, CompositionImage, CompositionProblem } from '@vid/kernel'
import { layoutSize, type Warning } from '@vid/protocol'
import type { CompositionOptions, CompositionSettings, OpenComposition, Renderer } from '@vid/render'
import { groupBy } from '../group-by.ts'
import { type CompositionHistory, findEdit } from './composition-history.ts'
import type { ListedMedia } from './composition-parts.ts'
import { contrastFrames } from './contrast-frames.ts'
import type { ListedElement } from './element-list.ts'
import { contrastsOf, type MeasuredFrames, measureFrames } from './measure-contrasts.ts'
import { GRID } from './picture-grid.ts'
import { type Arrival, leftDimmed, readableSpans } from './readable.ts'
import { readSmallComposition, type SmallComposition } from './small-composition.ts'

/** Length of the longer side of the pictures in which contrast is measured, in pixels. */
const SIDE = 960

/** Findings of lint that say what a run of the page cannot. */
const FROM_SOURCE = ['unregistered-timeline', 'unknown-timeline']

/** A composition that was looked at. */
export interface SeenComposition {
  readonly facts: CompositionFacts
  /** The elements of the facts, with what the page ignores for each. */
  readonly elements: readonly ListedElement[]
  /** Position of the root of the composition among them. */
  readonly root: number | null
}

/** What is kept of a composition for the next time. */
export interface KeptComposition {
  readonly composition: { readonly projectDir: string; readonly entry: string }
  history?: CompositionHistory
}

/** How it is stopped, and who hears how far it is. */
export interface ReadFactsOptions extends Pick<CompositionOptions, 'signal'> {
  /** What was found before, and is to be found again only where an edit since can be seen; it gets what is found now. */
  readonly keep?: KeptComposition
  onProgress?(done: number, total: number): void
}

/** Pixels of videos as their files have them: a page loads none of them while it is followed. */
const sizedImages = (images: readonly CompositionImage[], plan: OpenComposition['plan']): CompositionImage[] =>
  images.flatMap((image) => {
    if (image.kind !== 'video' || image.naturalWidth > 0) return [image]
    const picture = plan.media.find(({ src }) => image.src.endsWith(src))?.source.picture
    if (!picture) return []
    return [{ ...image, naturalWidth: picture.width, naturalHeight: picture.height }]
  })

const soundOf = ({ sound }: FoundStates, voices: SmallComposition['voices']): CompositionFacts['sound'] => {
  if (!sound) return null
  const { integrated, truePeak, truePeakAt, truePeaks, silent } = sound
  return { integrated, truePeak, truePeakAt, truePeaks, silent, voices }
}

const withoutIds = (media: readonly ListedMedia[]) => media.map(({ id: _, name: __, ...facts }) => facts)

/** Frames in which elements appear or become brighter. */
const arrivalsOf = ({ paths, images }: SmallComposition['followed']): readonly Arrival[] => [
  ...paths.flatMap(({ element, steps }) =>
    steps.flatMap(({ frame, width, opacity }, index) => {
      const before = steps[index - 1]
      const isNew = width > 0 && (before === undefined || before.width === 0 || opacity > before.opacity)
      return isNew ? [{ element, frame }] : []
    }),
  ),
  ...images.map(({ element, frames: [frame] }) => ({ element, frame })),
]

/** Measures the contrast of the texts of a composition in large pictures, of edited frames alone where others were measured. */
const readContrasts = async (
  large: OpenComposition,
  { plan, elements, followed, pictures, edit }: SmallComposition,
  isEncoded: boolean,
): Promise<{ readonly measured: MeasuredFrames; readonly contrasts: CompositionFacts['contrasts'] }> => {
  const page = layoutSize(plan, plan.scale)
  const fps = plan.frames / plan.duration
  const arrivals = arrivalsOf(followed)
  const texts = [...groupBy(followed.texts, ({ element }) => element).values()].flatMap((spans) => [
    ...readableSpans(spans, fps),
    ...leftDimmed(spans, arrivals, fps),
  ])
  const frames = contrastFrames(texts, pictures, page)
  const before = (frame: number) =>
    edit && !isEdited(edit.ranges, frame) ? edit.history.measured.get(frame) : undefined
  const fresh = frames.filter((frame) => !before(frame))
  const now = await measureFrames(large, fresh, elements, { texts, width: page.width, isEncoded })
  const measured = new Map(frames.map((frame) => [frame, before(frame) ?? now.get(frame) ?? []]))
  return { measured, contrasts: contrastsOf(measured, elements, texts) }
}

const factsOf = (
  { plan, elements, followed, parts, states, pictures, voices, captions, lint }: SmallComposition,
  contrasts: CompositionFacts['contrasts'],
): CompositionFacts => {
  const { texts, images, paths, timings, placed } = followed
  return {
    ...layoutSize(plan, plan.scale),
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
    captions,
    sound: soundOf(states, voices),
    problems: followed.errors,
    timings,
    sources: placed.sources,
    source: lint
      .filter(({ code }) => FROM_SOURCE.includes(code.replace('lint/', '')))
      .map(({ code, file, line, message, hint }) => ({ rule: code.replace('lint/', ''), file, line, message, hint })),
  }
}

const problemKey = ({ code, message }: Warning) => `${code} ${message}`

/** Gathers all that is known of a composition: its states in small pictures, and each of its frames in the page. */
export const readFacts = async (
  renderer: Renderer,
  settings: CompositionSettings,
  options: ReadFactsOptions,
): Promise<SeenComposition> => {
  const { signal, onProgress, keep } = options
  const problems = new Map<string, CompositionProblem>()
  const onWarning = (warning: Warning) =>
    void problems.set(problemKey(warning), { ...warning, frames: null, file: null, line: null })
  const failure = new AbortController()
  const opening = { signal: AbortSignal.any([signal, failure.signal]), onWarning }
  const composition = keep && (await readCompositionFiles(keep.composition, signal))
  const reading = readSmallComposition(
    renderer,
    settings,
    { ...opening, ...(onProgress && { onProgress }) },
    (plan) => composition && findEdit(keep.history, composition, plan),
  )
  // A browser for large pictures starts meanwhile.
  const { resolution: _, scale: __, ...unscaled } = settings
  const measuring = renderer.withComposition(
    { ...unscaled, side: SIDE },
    async (large) => {
      const small = await reading
      const isEncoded = [...problems.values()].some(({ code }) => code === 'VID_LANE_FALLBACK')
      return readContrasts(large, small, isEncoded)
    },
    opening,
  )
  const [small, { result: large }] = await Promise.all([reading, measuring]).catch(async (thrown: unknown) => {
    failure.abort(thrown)
    await Promise.allSettled([reading, measuring])
    throw thrown
  })
  const { measured, contrasts } = large
  const { followed, states, pictures, voices, plan, elements } = small
  const warnings = new Set(problems.keys())
  // What is not warned of again may be mended, or belong to a frame that was not looked at.
  if (keep && small.edit && [...small.edit.history.warnings].some((key) => !warnings.has(key))) {
    delete keep.history
    return readFacts(renderer, settings, options)
  }
  if (keep && composition)
    keep.history = { composition, plan, states, pictures, voices, record: followed.record, measured, warnings }
  const facts = factsOf(small, contrasts)
  // What a script threw in a frame is known with its frames.
  const isThrown = ({ code, message }: CompositionProblem) =>
    code === 'VID_SCRIPT_ERROR' &&
    facts.problems.some((problem) => message.startsWith(problem.message.replace(/\.$/, '')))
  const others = [...problems.values()].filter((problem) => !isThrown(problem))
  return {
    facts: { ...facts, problems: [...facts.problems, ...others] },
    elements: elements.list,
    root: followed.placed.root,
  }
}
