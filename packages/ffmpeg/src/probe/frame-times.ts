import type { FfmpegTools } from '../tools/find.ts'
import { ERRORS_ONLY } from '../tools/process.ts'
import { readMedia } from './media-read.ts'
import type { VideoStream } from './probe.ts'

/** Ticks per second: the unit of time stamps. Extracted frames are named by whole ticks. */
export const TICKS = 10_000

/** When the frames of a stream are shown. */
export interface FrameTimes {
  /** Time stamps from the container, ascending, in ticks with fractions. */
  readonly times: readonly number[]
  /** Whether the file ends before its container says. */
  readonly isCutOff: boolean
}

/** What ffprobe reports of MP4 and QuickTime, and of Matroska and WebM, when a file ends too early. */
const CUT_OFF = /: partial file\b|File ended prematurely/

/** Reads the time stamps of a stream's frames, and whether its file is complete. */
export const readFrameTimes = async (
  file: string,
  stream: VideoStream,
  tools: FfmpegTools,
  signal?: AbortSignal,
): Promise<FrameTimes> => {
  const entries = ['-show_entries', 'packet=pts,flags', '-of', 'csv=p=0']
  const select = ['-select_streams', String(stream.index)]
  const before = [...ERRORS_ONLY, ...select, ...entries]
  const { num, den } = stream.timeBase ?? { num: 1, den: TICKS }
  const { stdout, reported = '' } = await readMedia({ program: tools.ffprobe, before, file }, signal)
  const times = stdout.split('\n').flatMap((line) => {
    const [pts, flags = ''] = line.split(',')
    // Packets flagged D are decoded but not shown.
    return !pts || !Number.isFinite(Number(pts)) || flags.includes('D') ? [] : (Number(pts) * num * TICKS) / den
  })
  return { times: [...new Set(times)].sort((a, b) => a - b), isCutOff: CUT_OFF.test(reported) }
}

/** Index of the frame shown at a time stamp in ticks: the last one that has started, or else the first. */
export const frameIndexAt = (times: readonly number[], tick: number): number => {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((times[middle] ?? 0) <= tick) low = middle
    else high = middle - 1
  }
  return low
}
