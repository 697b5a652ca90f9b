import { type EditedRange, readOutline } from '@vid/analysis'
import { captureWarnings } from '@vid/browser'
import type {
  CompositionFacts,
  CompositionImage,
  CompositionPath,
  CompositionStep,
  CompositionText,
  ShownFrame,
} from '@vid/kernel'
import type { FrameRate } from '@vid/protocol'
import { defineWarnings, secondsOf } from '@vid/protocol'
import type { OpenComposition } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { fail } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import type {
  PlacedParts,
  ReportedElement,
  ReportedError,
  ReportedImage,
  ReportedLook,
  ReportedText,
  StepReport,
} from '../page-report.ts'
import { examinerScript, pageCall } from '../page-script.ts'
import type { ElementList } from './element-list.ts'
import { joinRecords, type PageRecord, SETTLING_FRAMES, unreportedKeys } from './page-record.ts'
import { joinLooks } from './spans.ts'

/** Frames that are shown in one call. */
const CHUNK = 15

/** Milliseconds of a frame above which each is shown in a call of its own. */
const SLOW_MS = 1000

/** Seconds for which a text has to stand where it is, so that it can be read there. */
const STILL = 0.2

/** What a page reports of itself over the whole composition. */
export interface FollowedPage {
  readonly texts: readonly CompositionText[]
  readonly images: readonly CompositionImage[]
  readonly paths: readonly CompositionPath[]
  readonly timings: CompositionFacts['timings']
  /** What scripts threw, each message once. */
  readonly errors: CompositionFacts['problems']
  readonly outline: PageOutline
  /** Elements and clips of its animations, and the timed elements. */
  readonly placed: PageRecord['placed']
  readonly record: PageRecord
}

const round = (value: number) => Math.round(value * 2)

const textKey = ({ element, text, lines, visible, fontSize, opacity, covered, spill }: ReportedText): string =>
  JSON.stringify([
    element,
    text,
    lines.map(({ x, y, width, height }) => [round(x), round(y), round(width), round(height)]),
    [round(visible.x), round(visible.y), round(visible.width), round(visible.height)],
    Math.round(fontSize * 4),
    Math.round(opacity * 20),
    Math.round(covered * 12),
    Math.round(spill * 8),
  ])

const imageKey = ({ element, src, box, drawnWidth, drawnHeight }: ReportedImage): string =>
  JSON.stringify([element, src, round(box.x), round(box.y), round(drawnWidth), round(drawnHeight)])

/** Puts together what the steps of a page have reported. */
const collect = (
  { looks, steps }: PageRecord,
  { frames, fps }: { readonly frames: number; readonly fps: FrameRate },
  of: (number: number) => number,
): Pick<FollowedPage, 'texts' | 'images' | 'paths'> => {
  const texts = looks.map(({ frame, texts: values }) => ({ frame, values }))
  const images = looks.map(({ frame, images: values }) => ({ frame, values }))
  const paths = new Map<number, CompositionStep[]>()
  for (const [frame, element, x, y, width, height, opacity] of steps) {
    const path = paths.get(element) ?? []
    paths.set(element, path)
    path.push({ frame, x, y, width, height, opacity })
  }
  return {
    texts: joinLooks(texts, frames, textKey).map(({ value, frames: span }) => ({
      ...value,
      element: of(value.element),
      block: of(value.block),
      frames: span,
      isStill: secondsOf(span[1] - span[0], fps) >= STILL - 1e-6,
    })),
    images: joinLooks(images, frames, imageKey).map(({ value, frames: span }) => ({
      ...value,
      element: of(value.element),
      frames: span,
    })),
    paths: [...paths].map(([element, list]) => ({ element: of(element), steps: list })),
  }
}

/** Makes the warnings that a render makes of a page. */
const warningOf = defineWarnings(captureWarnings)

/** Errors of scripts by their messages, from the first frame in which each came to the last. */
const problemsOf = (errors: readonly ReportedError[], entry: string): CompositionFacts['problems'] =>
  [...groupBy(errors, ({ message, source, line }) => `${message} ${source}:${line}`).values()].flatMap((group) => {
    const [first] = group
    const last = group.at(-1)
    if (!first || !last) return []
    const { message, source, line } = first
    const isEntry = source === null || source.endsWith(`/${entry}`)
    const file = isEntry ? entry : (source?.split(/[?#]/)[0]?.split('/').at(-1) ?? null)
    const place = source === null ? null : line
    const { code, ...texts } = warningOf('VID_SCRIPT_ERROR', { message: message.replace(/\.$/, '') })
    return [{ code, ...texts, frames: [first.frame, last.frame + 1] as const, file, line: place }]
  })

/** A page at its first frame that can examine itself. */
export interface FirstFrame {
  readonly shown: ShownFrame
  readonly outline: PageOutline
  close(): Promise<void>
}

/** Timed elements of a composition: each is looked at in each frame. */
const MAX_CLIPS = 5000
const COUNT_CLIPS = "document.querySelectorAll('[data-start],[data-composition-src]').length"

/** Opens a page of a composition to be followed; VID_CHECK_CLIPS for one that would take minutes for each frame. */
export const openFirstFrame = async ({ run, plan }: OpenComposition): Promise<FirstFrame> => {
  const page = run.examine(plan, { picturesOnly: true })
  try {
    const shown = await page.show(0)
    const clips = Number(await shown.evaluate(COUNT_CLIPS))
    if (clips > MAX_CLIPS) throw fail('VID_CHECK_CLIPS', { clips, max: MAX_CLIPS })
    await shown.evaluate(examinerScript())
    return { shown, outline: await readOutline(shown), close: page.close }
  } catch (thrown) {
    await page.close()
    throw thrown
  }
}

/** A composition before an edit, and the frames in which that can be seen. */
export interface RecordBefore {
  readonly record: PageRecord
  readonly ranges: readonly EditedRange[]
}

/** Frames to follow, as starts and ends: all of them, or those around an edit after the first ones. */
const rangesToFollow = (frames: number, before: RecordBefore | undefined): (readonly [number, number])[] => {
  const first = Math.min(CHUNK, frames)
  if (!before) return [[0, frames]]
  const around = before.ranges.map(
    ({ start, end }) => [Math.max(first, start - 1), Math.min(frames, end + SETTLING_FRAMES + 1)] as const,
  )
  return [[0, first], ...around.filter(([start, end]) => start < end)]
}

/** Collects the times of calls until they are those of enough frames, of which one may be slow. */
const createTiming = (timings: CompositionFacts['timings'][number][]) => {
  let from = 0
  let spent = 0
  let frames = 0
  return (start: number, end: number, ms: number, isLast: boolean): void => {
    if (frames === 0) from = start
    spent += ms
    frames += end - start
    if (frames < CHUNK && !isLast) return
    timings.push({ frames: [from, end], ms: spent / frames })
    spent = frames = 0
  }
}

/** Goes through frames of a page, without pictures, and records what it reports. */
const recordPage = async (
  { run, plan }: OpenComposition,
  { shown, outline }: FirstFrame,
  ranges: readonly (readonly [start: number, end: number])[],
  onProgress: (frames: number) => void,
): Promise<PageRecord> => {
  const elements: ReportedElement[] = []
  const looks: ReportedLook[] = []
  const steps: StepReport['steps'][number][] = []
  const timings: CompositionFacts['timings'][number][] = []
  const errors: ReportedError[] = []
  const selectors = outline.motions.map(({ target }) => target)
  let placed: PageRecord['placed'] = { targets: [], timed: [], sources: [], root: null }
  const time = createTiming(timings)
  // A call of the page may take half a minute: frames that take a second each are shown one by one.
  let chunk = 1
  for (const [start, stop] of ranges)
    for (let frame = start, end = start; frame < stop; frame = end) {
      run.signal.throwIfAborted()
      end = Math.min(stop, frame + chunk)
      const startMs = performance.now()
      const report = (await shown.evaluate(pageCall('step', frame, end))) as StepReport
      const ms = performance.now() - startMs
      time(frame, end, ms, end === stop)
      chunk = ms / (end - frame) < SLOW_MS ? CHUNK : 1
      elements.push(...report.elements)
      looks.push(...report.looks)
      steps.push(...report.steps)
      errors.push(...report.errors)
      onProgress(end)
      if (frame > 0) continue
      const { elements: more, ...parts } = (await shown.evaluate(pageCall('place', selectors))) as PlacedParts
      elements.push(...more)
      placed = parts
    }
  onProgress(plan.frames)
  return { elements, looks, steps, errors, timings, placed }
}

/** Joins what was recorded before an edit with what a page has of it now. */
const joinBefore = async (
  shown: ShownFrame,
  { record, ranges }: RecordBefore,
  now: PageRecord,
): Promise<PageRecord | undefined> => {
  const keys = unreportedKeys(record, now, ranges, CHUNK)
  const more = keys.length > 0 ? ((await shown.evaluate(pageCall('number', keys))) as readonly ReportedElement[]) : []
  return joinRecords(record, { ...now, elements: [...now.elements, ...more] }, ranges, CHUNK)
}

/**
 * Goes through all frames of a page, without pictures: where everything is, and how its texts are set. After an edit it
 * goes through those in which that can be seen; undefined where another frame shows what the page has no more.
 */
export const followPage = async (
  composition: OpenComposition,
  first: FirstFrame,
  elements: ElementList,
  onProgress: (frames: number) => void,
  before?: RecordBefore,
): Promise<FollowedPage | undefined> => {
  const { plan } = composition
  try {
    const now = await recordPage(composition, first, rangesToFollow(plan.frames, before), onProgress)
    const record = before ? await joinBefore(first.shown, before, now) : now
    if (!record) return undefined
    const numbers = elements.createPage()
    numbers.add(record.elements)
    const { sources, targets, timed, root } = record.placed
    return {
      ...collect(record, plan, numbers.of),
      timings: record.timings,
      errors: problemsOf(record.errors, plan.composition.entry),
      outline: first.outline,
      placed: {
        sources: sources.map(({ element, src }) => ({ element: numbers.of(element), src })),
        targets: targets.map(({ element, clip }) => ({ element: element === null ? null : numbers.of(element), clip })),
        timed: timed.map(numbers.of),
        root: root === null ? null : numbers.of(root),
      },
      record,
    }
  } finally {
    await first.close()
  }
}
