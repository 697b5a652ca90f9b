import type { FfmpegTools } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { ERRORS_ONLY, QUIET } from '../tools/process.ts'
import { type EstimatedTimes, estimateTimes, type Packet } from './estimated-times.ts'
import { readMedia } from './media-read.ts'
import type { VideoStream } from './probe.ts'

/** Ticks per second: the unit of time stamps. Extracted frames are named by whole ticks. */
export const TICKS = 10_000

/** Ticks between the time stamps of counted frames. */
export const COUNTED = 10

/** When the frames of a stream are shown. */
export interface StreamTimes {
  /** Time stamps by which frames are extracted, ascending, in ticks with fractions: those of the container, or else `COUNTED` apart. */
  readonly times: readonly number[]
  /** Whether the file ends before its container says. */
  readonly isCutOff: boolean
  /** Where the container does not say when each frame is shown; such frames are counted from the beginning. */
  readonly estimated?: EstimatedTimes
}

/** When frames are shown, in ticks, ascending. */
export const shownTimes = ({ times, estimated }: Pick<StreamTimes, 'times' | 'estimated'>): readonly number[] =>
  estimated?.shown ?? times

/** Frames shown in a second, on average. */
export const averageRate = (times: StreamTimes): number => {
  const shown = shownTimes(times)
  return ((shown.length - 1) * TICKS) / ((shown.at(-1) ?? 0) - (shown[0] ?? 0))
}

/** What ffprobe reports of MP4 and QuickTime, and of Matroska and WebM, when a file ends too early. */
const CUT_OFF = /: partial file\b|File ended prematurely/

/** Reads the table of a stream's packets, in units of its time stamps. */
const readPackets = async (file: string, stream: VideoStream, tools: FfmpegTools, signal: AbortSignal | undefined) => {
  const entries = ['-show_entries', 'packet=pts,dts,flags', '-of', 'csv=p=0']
  const before = [...ERRORS_ONLY, '-select_streams', String(stream.index), ...entries]
  const { stdout, reported = '' } = await readMedia({ program: tools.ffprobe, before, file }, signal)
  const numberOf = (cell: string | undefined) => (cell && Number.isFinite(Number(cell)) ? Number(cell) : undefined)
  const packets = stdout.split('\n').flatMap((line): Packet[] => {
    const [pts, dts, flags = ''] = line.split(',')
    // Packets flagged D are decoded but not shown.
    if (flags === '' || flags.includes('D')) return []
    return [{ pts: numberOf(pts), dts: numberOf(dts), isKey: flags.includes('K') }]
  })
  return { packets, isCutOff: CUT_OFF.test(reported) }
}

/** Decodes a stream as its frames are extracted, and returns their time stamps in its units. */
const decodeTimes = async (file: string, stream: VideoStream, tools: FfmpegTools, signal: AbortSignal | undefined) => {
  const { num, den } = unitOf(stream)
  const unit = ['-enc_time_base', `${num}/${den}`]
  const after = ['-map', `0:${stream.index}`, ...passthrough(tools), ...unit, '-f', 'framecrc', '-']
  const before = [...QUIET, '-nostdin', '-copyts']
  const { stdout } = await readMedia({ program: tools.ffmpeg, before, file, after }, signal)
  return stdout.split('\n').flatMap((line) => (line.startsWith('0,') ? [Number(line.split(',')[2])] : []))
}

/** Seconds per unit of a stream's time stamps. */
const unitOf = ({ timeBase }: VideoStream) => timeBase ?? { num: 1, den: TICKS }

const ascending = (times: readonly number[]) => [...new Set(times)].sort((a, b) => a - b)

/** Whether packets say when they are decoded, not when their frames are shown, which is another order. */
const lackTimes = (packets: readonly Packet[], { reorders }: VideoStream): boolean =>
  packets.some(({ pts }) => pts === undefined) || (reorders === true && packets.every(({ pts, dts }) => pts === dts))

/** Containers in which what is stated of frames that are stored in another order differs from what decoders make of it. */
const UNRELIABLE = /\b(?:mpeg|mxf)\b/

/** How many stated times must agree with a steady rate; a few of them fit several. */
const [FEW, MANY] = [2, 4]

/** Reads the time stamps of a stream's frames in a container by ffmpeg's name, and whether its file is complete. */
export const readFrameTimes = async (
  file: string,
  { container, stream }: { readonly container: string; readonly stream: VideoStream },
  tools: FfmpegTools,
  signal?: AbortSignal,
): Promise<StreamTimes> => {
  const { num, den } = unitOf(stream)
  const toTicks = (units: readonly number[]) => units.map((time) => (time * num * TICKS) / den)
  const { packets, isCutOff } = await readPackets(file, stream, tools, signal)
  const stated = ascending(packets.flatMap(({ pts }) => pts ?? []))
  const isUnreliable = UNRELIABLE.test(container)
  if (!lackTimes(packets, stream) && !(stream.reorders && isUnreliable)) return { times: toTicks(stated), isCutOff }
  const guesses = await decodeTimes(file, stream, tools, signal)
  // What is stated holds from anywhere in the file.
  if (guesses.length === 0 || guesses.join() === stated.join()) return { times: toTicks(stated), isCutOff }
  const { fps } = stream
  const pace = fps && (fps.den * den) / (fps.num * num)
  const { shown, isEven } = estimateTimes(packets, guesses, pace, isUnreliable ? MANY : FEW)
  return {
    times: guesses.map((_, index) => index * COUNTED),
    isCutOff,
    estimated: { shown: toTicks(shown), isEven },
  }
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
