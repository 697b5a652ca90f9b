import type { FfmpegTools } from '../tools/find.ts'
import { ERRORS_ONLY } from '../tools/process.ts'
import { type StreamTimes, shownTimes, TICKS } from './frame-times.ts'
import { readMedia } from './media-read.ts'
import type { MediaInfo, VideoStream } from './probe.ts'

/** By as many seconds the end that a file states may differ from that of its packets: encoders fill up the last ones. */
const FILLED_S = 0.1

/** Reads when the packets of a file are over, in its own time. */
interface PacketReader {
  frameTimes(): Promise<StreamTimes>
  /** Seconds; 0 when no packet of sound has a time stamp. */
  soundEnd(): Promise<number>
}

/** Time stamps that are as many seconds earlier than those before begin a further file that was joined to the first. */
const AGAIN_S = 1

/** Reads where the last packet of a stream of sound ends, in seconds. */
export const readSoundEnd = async (
  file: string,
  index: number,
  tools: FfmpegTools,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const entries = ['-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0']
  const before = [...ERRORS_ONLY, '-select_streams', `${index}`, ...entries]
  const { stdout } = await readMedia({ program: tools.ffprobe, before, file }, signal)
  let joined = 0
  let end = 0
  for (const line of stdout.split('\n')) {
    const [start = Number.NaN, length = 0] = line.split(',', 2).map((cell) => Number.parseFloat(cell))
    if (Number.isNaN(start)) continue
    if (joined + start < end - AGAIN_S) joined = end
    end = Math.max(end, joined + start + (length || 0))
  }
  return end
}

/** Time stamp at which the last stream of a file ends, seconds; undefined when the file does not state it. */
const statedEnd = ({ container, start = 0, duration, video, audio }: MediaInfo): number | undefined => {
  const streams = [...video.filter(({ isCover }) => !isCover), ...audio]
  const ends = streams.flatMap((stream) =>
    stream.duration === undefined ? [] : (stream.start ?? start) + stream.duration,
  )
  // Matroska states when it ends, other containers how long they last; the length of a stream in it is a guess by ffprobe.
  if (/\bmatroska\b/.test(container)) return ends.length > 0 ? undefined : duration
  if (ends.length > 0 && ends.length === streams.length) return Math.max(...ends)
  return duration === undefined ? duration : start + duration
}

/** End of the last frame in seconds, for a container that does not state it: it lasts as long as the one before. */
const endOfFrames = (times: StreamTimes) => {
  const shown = shownTimes(times)
  const last = shown.at(-1) ?? 0
  const previous = shown.at(-2) ?? last
  return (last + (last - previous)) / TICKS
}

/** The end of a file without frames: many formats state no length, and ffprobe guesses it by the bit rate of the beginning. */
const endOfSound = async (stated: number | undefined, { soundEnd }: PacketReader) => {
  const end = await soundEnd()
  return stated !== undefined && (end === 0 || Math.abs(stated - end) <= FILLED_S) ? stated : end
}

/** Time stamp at which a file ends, seconds. What its packets say counts where it states nothing, or something else. */
export const endOf = async (
  info: MediaInfo,
  picture: VideoStream | undefined,
  packets: PacketReader,
): Promise<number> => {
  const stated = statedEnd(info)
  // The tables of MP4 and QuickTime are the packets.
  if (stated !== undefined && /\bmov\b/.test(info.container)) return stated
  if (!picture) return endOfSound(stated, packets)
  if (stated !== undefined && picture.frames !== undefined) return stated
  const times = await packets.frameTimes()
  const shown = endOfFrames(times)
  const hasSound = info.audio.length > 0
  if (stated !== undefined && times.estimated) return hasSound ? Math.max(stated, shown) : shown
  // The last frame may be shown for another time than the one before.
  if (stated !== undefined && stated >= (shownTimes(times).at(-1) ?? 0) / TICKS) return stated
  return Math.max(shown, hasSound ? await packets.soundEnd() : 0)
}
