import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsOf } from '@vid/protocol'
import type { CompositionSettings, Renderer } from '@vid/render'
import { fail } from '../errors.ts'
import { drawSheet } from '../sheet/draw-sheet.ts'
import type { Side } from '../sides/side.ts'
import type { ComparedSides } from './compared-sides.ts'
import { type DiffOptions, diffCompositions } from './diff-compositions.ts'
import type { DiffReport } from './diff-schema.ts'
import { diffSheet } from './diff-sheet.ts'
import { diffVideos } from './diff-videos.ts'

/** Two sides to compare, and what is made of it. */
export interface DiffSettings {
  readonly sides: readonly [Side, Side]
  /** How compositions are drawn. */
  readonly composition: CompositionSettings
  /** Absolute path of a PNG with before, after and difference of each interval; left out, none is drawn. */
  readonly sheet?: string
  readonly width: number
  /** Whether a difference is a failure. */
  readonly exitCode: boolean
  /** Scratch folder of the caller. */
  readonly scratch: string
  readonly env: NodeJS.ProcessEnv
}

const compare = (
  renderer: Pick<Renderer, 'withComposition'>,
  { sides: [before, after], composition, scratch }: DiffSettings,
  pictures: string | undefined,
  options: DiffOptions,
): Promise<ComparedSides> => {
  const shown = pictures === undefined ? {} : { pictures }
  if (before.kind === 'video' && after.kind === 'video')
    return diffVideos({ before: before.file, after: after.file, scratch, ...shown }, options)
  if (before.kind === 'video' || after.kind === 'video')
    throw fail('VID_DIFF_KINDS', { one: before.label, other: after.label })
  return diffCompositions(renderer, { before, after, composition, ...shown }, options)
}

/** Frames that differ, with those that one side alone has. */
const differingFrames = ({ intervals, frames, common, problem }: ComparedSides): number =>
  problem === undefined
    ? intervals.reduce((sum, { interval }) => sum + interval.end - interval.start, 0) + frames - common
    : frames

/** Compares two sides, and draws what differs. */
export const diffSides = async (
  renderer: Pick<Renderer, 'withComposition'>,
  settings: DiffSettings,
  options: DiffOptions,
): Promise<DiffReport> => {
  const { sides, sheet, width, exitCode, scratch, env } = settings
  const [before, after] = sides
  const pictures = sheet === undefined ? undefined : join(scratch, 'pictures')
  if (pictures !== undefined) await mkdir(pictures, { recursive: true })
  const comparison = await compare(renderer, settings, pictures, options)
  const { fps, frames, compared, reason, problem, intervals, sound } = comparison
  const differing = differingFrames(comparison)
  const drawn = sheet !== undefined && pictures !== undefined && intervals.length > 0
  const pages = drawn
    ? await drawSheet(diffSheet(intervals, fps, { width, picture: comparison.picture }), {
        folder: pictures,
        output: sheet,
        env,
        signal: options.signal,
      })
    : []
  return {
    before: before.label,
    after: after.label,
    fps,
    frames,
    differing,
    compared,
    reason,
    ...(problem !== undefined && { problem }),
    intervals: intervals.map(({ interval: { start, end, worst }, elements }) => ({
      start,
      end,
      from: secondsOf(start, fps),
      until: secondsOf(end, fps),
      worst: worst.frame,
      changed: worst.changed,
      psnr: worst.psnr,
      box: worst.box,
      elements: [...elements],
    })),
    sound,
    sheet: pages.map(({ path }) => path),
    exitCode: exitCode && (differing > 0 || sound.length > 0) ? 1 : 0,
  }
}
