import { type EditReach, loadComposition } from '@vid/core'
import { WAV_HEADER_BYTES } from '@vid/ffmpeg'
import { canonicalJson } from '@vid/kernel'
import { type FrameRate, firstFrameAt, frameCount, type RenderPlan } from '@vid/protocol'
import type { CompositionOptions, CompositionSettings, OpenComposition, Renderer } from '@vid/render'
import { fail } from '../errors.ts'
import { type CompositionFolder, reachBetween, readCompositionFiles } from '../reach/find-reach.ts'
import { mixComposition } from '../sound/read-sound.ts'
import { compareFrames, type FrameDifference } from './compare-frames.ts'
import { compareSound, type SoundFile } from './compare-sound.ts'
import type { ComparedSides } from './compared-sides.ts'
import { type ExaminedInterval, examineIntervals } from './examine-intervals.ts'
import { type FrameSpan, intervalsOf, mergeRanges } from './intervals.ts'

/** A folder that is compared. */
export type ComparedFolder = Omit<CompositionFolder, 'entry'>

/** What is compared of two folders, and how. */
export interface CompositionDiff {
  readonly before: ComparedFolder
  readonly after: ComparedFolder
  readonly composition: CompositionSettings
  /** Folder for pictures of the intervals, where they are wanted. */
  readonly pictures?: string
}

export interface DiffOptions extends Pick<CompositionOptions, 'signal' | 'onWarning' | 'onConsole'> {
  /** Called with the frames that were compared, and how many are to be. */
  onProgress?(compared: number, frames: number): void
}

const DEFAULT_FPS = 30

/** Raw pixels where a lane has them. */
const FORMATS = ['rgba', 'png'] as const

/** Says that nothing was proven by the text. */
const withoutProof = (reason: string): string => `every frame was compared, because ${reason}`

const wordsOf = (reach: EditReach): string => {
  if ('reason' in reach) return withoutProof(reach.reason)
  if (reach.windows.length === 0) return 'proven by the text of both sides, without capturing anything'
  return 'the others are proven equal by the text of both sides'
}

/** The length that the text of both sides states; undefined where only the page knows it. */
const lengthByText = async (
  { before, after, composition }: CompositionDiff,
  signal: AbortSignal,
): Promise<{ readonly frames: number; readonly fps: FrameRate } | undefined> => {
  const entry = composition.entry ?? 'index.html'
  const durations = await Promise.all(
    [before, after].map(
      async ({ projectDir }) => (await loadComposition(projectDir, entry, { signal })).composition.duration,
    ),
  )
  const [one, other] = durations
  if (one === null || one === undefined || one !== other || composition.fps === undefined) return undefined
  return { frames: frameCount(one, composition.fps), fps: composition.fps }
}

/** Frames that may differ, each range with a frame on both sides that must not. */
const rangesOf = (reach: EditReach, { fps, frames, composition }: RenderPlan): FrameSpan[] => {
  if ('reason' in reach || composition.stateful) return [{ start: 0, frames }]
  const around = reach.windows.map(({ start, end }) => ({
    start: firstFrameAt(start, fps) - 1,
    end: firstFrameAt(end, fps) + 1,
  }))
  return mergeRanges(around, frames)
}

/** Whether a frame that an edit must not touch differs. */
const isBroken = (reach: EditReach, { fps }: RenderPlan, differences: readonly FrameDifference[]): boolean =>
  'windows' in reach &&
  differences.some(({ frame }) =>
    reach.windows.every(({ start, end }) => frame < firstFrameAt(start, fps) || frame >= firstFrameAt(end, fps)),
  )

const compareRanges = async (
  [before, after]: readonly [OpenComposition, OpenComposition],
  ranges: readonly FrameSpan[],
  onProgress: DiffOptions['onProgress'],
): Promise<FrameDifference[]> => {
  const total = ranges.reduce((sum, { frames }) => sum + frames, 0)
  const differences: FrameDifference[] = []
  let compared = 0
  onProgress?.(0, total)
  for (const range of ranges) {
    const old = before.run.frames(before.plan, range, FORMATS)
    const now = after.run.frames(after.plan, range, FORMATS)
    for await (const { frame, difference } of compareFrames(old, now, after.plan.width)) {
      if (difference) differences.push({ frame, ...difference })
      onProgress?.(++compared, total)
    }
  }
  return differences
}

const soundOf = async (composition: OpenComposition): Promise<SoundFile | null> => {
  const mixed = await mixComposition(composition)
  return mixed ? { file: mixed.file, header: WAV_HEADER_BYTES } : null
}

/** Equal sources at equal times give equal sound at an equal loudness. */
const compareSounds = async ([before, after]: readonly [OpenComposition, OpenComposition], signal: AbortSignal) => {
  const facts = ({ plan: { audio, frames }, request: { loudness = 'off' } }: OpenComposition) =>
    canonicalJson({ audio, frames, loudness })
  if (facts(before) === facts(after)) return []
  return compareSound(await soundOf(before), await soundOf(after), signal)
}

/** Why the pictures of two plans cannot be compared. */
const problemOf = (before: RenderPlan, after: RenderPlan): string | undefined => {
  const size = ({ width, height }: RenderPlan) => `${width}x${height}`
  return size(before) === size(after) ? undefined : `the size changed from ${size(before)} to ${size(after)}`
}

const compareOpen = async (
  compositions: readonly [OpenComposition, OpenComposition],
  reach: EditReach,
  { pictures }: CompositionDiff,
  { signal, onProgress }: DiffOptions,
): Promise<ComparedSides> => {
  const [{ plan: before }, { plan: after }] = compositions
  if (before.fps !== after.fps) throw fail('VID_DIFF_RATE', { before: String(before.fps), after: String(after.fps) })
  const frames = Math.max(before.frames, after.frames)
  const common = Math.min(before.frames, after.frames)
  const sound = await compareSounds(compositions, signal)
  const problem = problemOf(before, after)
  if (problem !== undefined)
    return {
      fps: after.fps,
      picture: after,
      frames,
      common: 0,
      compared: 0,
      reason: problem,
      problem,
      intervals: [],
      sound,
    }
  const whole = [{ start: 0, frames: common }]
  let ranges: readonly FrameSpan[] = rangesOf(reach, { ...after, frames: common })
  let reason = after.composition.stateful && 'windows' in reach ? withoutProof('the page keeps state') : wordsOf(reach)
  let differences = await compareRanges(compositions, ranges, onProgress)
  if (isBroken(reach, after, differences)) {
    ranges = whole
    reason = withoutProof('a frame outside of the edit differs')
    differences = await compareRanges(compositions, ranges, onProgress)
  }
  const intervals: readonly ExaminedInterval[] = await examineIntervals(
    compositions,
    intervalsOf(differences),
    pictures,
  )
  const compared = ranges.reduce((sum, range) => sum + range.frames, 0)
  return { fps: after.fps, picture: after, frames, common, compared, reason, intervals, sound }
}

/** Compares two compositions: what the text proves equal is not captured. */
export const diffCompositions = async (
  renderer: Pick<Renderer, 'withComposition'>,
  diff: CompositionDiff,
  options: DiffOptions,
): Promise<ComparedSides> => {
  const { before, after, composition } = diff
  const { signal } = options
  const entry = composition.entry ?? 'index.html'
  const read = (folder: ComparedFolder) => readCompositionFiles({ ...folder, entry }, signal)
  const reach = reachBetween(await read(before), await read(after))
  const timed = { ...diff, composition: { ...composition, fps: composition.fps ?? DEFAULT_FPS } }
  const length = 'windows' in reach && reach.windows.length === 0 ? await lengthByText(timed, signal) : undefined
  const none = { width: 1, height: 1 }
  if (length)
    return {
      ...length,
      picture: none,
      common: length.frames,
      compared: 0,
      reason: wordsOf(reach),
      intervals: [],
      sound: [],
    }
  const { result } = await renderer.withComposition(
    { ...composition, projectDir: before.projectDir },
    async (old) =>
      (
        await renderer.withComposition(
          { ...composition, projectDir: after.projectDir },
          (now) => compareOpen([old, now], reach, diff, options),
          options,
        )
      ).result,
    { signal },
  )
  return result
}
