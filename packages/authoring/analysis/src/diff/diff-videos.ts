import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  decodeFrames,
  decodeSound,
  findFfmpeg,
  mediaInput,
  probeMedia,
  QUIET,
  runProcess,
  SAMPLE_RATE,
} from '@vid/ffmpeg'
import type { Frame } from '@vid/kernel'
import { exactNumber, secondsOf } from '@vid/protocol'
import { fail } from '../errors.ts'
import { compareFrames, type FrameDifference } from './compare-frames.ts'
import { compareSound, type SoundFile } from './compare-sound.ts'
import type { ComparedSides } from './compared-sides.ts'
import { type ExaminedInterval, MAX_EXAMINED } from './examine-intervals.ts'
import { type FrameInterval, intervalsOf } from './intervals.ts'

/** Two finished videos to compare. */
export interface VideoDiff {
  readonly before: string
  readonly after: string
  /** Folder for decoded sounds. */
  readonly scratch: string
  /** Folder for pictures of the intervals, where they are wanted. */
  readonly pictures?: string
}

/** Seconds of sound that are decoded at most: longer than any video. */
const MAX_SECONDS = 24 * 60 * 60

const readVideo = async (file: string, signal: AbortSignal) => {
  const { video, audio } = await probeMedia(file, { signal })
  const [picture] = video
  if (!picture?.fps) throw fail('VID_DIFF_SIDE', { side: file })
  return {
    file,
    width: picture.width,
    height: picture.height,
    fps: exactNumber(picture.fps),
    hasSound: audio.length > 0,
  }
}

async function* framesOf(file: string, signal: AbortSignal): AsyncGenerator<Frame> {
  let index = 0
  for await (const data of decodeFrames(file, { pixFmt: 'rgba', signal }))
    yield { index: index++, format: 'rgba', data }
}

/** How many frames a video has: its container may not say. */
const countFrames = async (file: string, signal: AbortSignal): Promise<number> => {
  let frames = 0
  for await (const _ of decodeFrames(file, { pixFmt: 'gray', scale: { width: 16, height: 16 }, signal })) frames += 1
  return frames
}

const soundOf = async (
  { file, hasSound }: { readonly file: string; readonly hasSound: boolean },
  output: string,
  signal: AbortSignal,
): Promise<SoundFile | null> => {
  if (!hasSound) return null
  const samples = MAX_SECONDS * SAMPLE_RATE
  await decodeSound({ file, from: 0, samples, output, signal, tools: await findFfmpeg({ signal }) })
  return (await stat(output)).size > 0 ? { file: output, header: 0 } : null
}

/** Writes the frame of a video that is shown from `seconds` on as a PNG. */
const writePicture = async (file: string, seconds: number, path: string, signal: AbortSignal): Promise<void> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const input = ['-ss', seconds.toFixed(6), ...(await mediaInput(file))]
  await runProcess(ffmpeg, [...QUIET, ...input, '-map', '0:v:0', '-frames:v', '1', '-f', 'image2', '-y', path], signal)
}

const takePictures = async (
  { before, after, pictures }: VideoDiff,
  interval: FrameInterval,
  fps: ComparedSides['fps'],
  signal: AbortSignal,
): Promise<ExaminedInterval> => {
  if (pictures === undefined) return { interval, elements: [] }
  const { frame } = interval.worst
  const names = { before: `before-${frame}.png`, after: `after-${frame}.png` }
  // Half a frame before its time, which is rounded in files.
  const seconds = Math.max(0, secondsOf(2 * frame - 1, fps) / 2)
  await writePicture(before, seconds, join(pictures, names.before), signal)
  await writePicture(after, seconds, join(pictures, names.after), signal)
  return { interval, elements: [], pictures: names }
}

/** Compares two finished videos, frame by frame and sample by sample. */
export const diffVideos = async (
  diff: VideoDiff,
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress?(compared: number, frames: number): void },
): Promise<ComparedSides> => {
  const [before, after] = await Promise.all([readVideo(diff.before, signal), readVideo(diff.after, signal)])
  if (before.fps !== after.fps) throw fail('VID_DIFF_RATE', { before: String(before.fps), after: String(after.fps) })
  const { fps } = after
  const size = { width: after.width, height: after.height }
  const sound = await compareSound(
    await soundOf(before, join(diff.scratch, 'before.f32'), signal),
    await soundOf(after, join(diff.scratch, 'after.f32'), signal),
    signal,
  )
  const [beforeFrames, afterFrames] = await Promise.all([
    countFrames(diff.before, signal),
    countFrames(diff.after, signal),
  ])
  const frames = Math.max(beforeFrames, afterFrames)
  const common = Math.min(beforeFrames, afterFrames)
  if (before.width !== after.width || before.height !== after.height) {
    const problem = `the size changed from ${before.width}x${before.height} to ${after.width}x${after.height}`
    return { fps, picture: size, frames, common: 0, compared: 0, reason: problem, problem, intervals: [], sound }
  }
  const differences: FrameDifference[] = []
  const pairs = compareFrames(framesOf(diff.before, signal), framesOf(diff.after, signal), after.width)
  for await (const { frame, difference } of pairs) {
    if (difference) differences.push({ frame, ...difference })
    onProgress?.(frame + 1, common)
  }
  const intervals: ExaminedInterval[] = []
  for (const [index, interval] of intervalsOf(differences).entries())
    intervals.push(index < MAX_EXAMINED ? await takePictures(diff, interval, fps, signal) : { interval, elements: [] })
  return {
    fps,
    picture: size,
    frames,
    common,
    compared: common,
    reason: 'every frame of both videos was decoded',
    intervals,
    sound,
  }
}
