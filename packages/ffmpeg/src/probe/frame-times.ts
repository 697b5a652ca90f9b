import type { FfmpegTools } from '../tools/find.ts'
import { runProcess } from '../tools/process.ts'
import type { VideoStream } from './probe.ts'

/** Units of time stamps, per second; extracted frames are named in whole ones, and compared more finely. */
export const TICKS = 10_000

/** Time stamps of the frames of a stream as its container lists them, ascending, in ticks and parts of them. */
export const readFrameTimes = async (
  file: string,
  stream: VideoStream,
  tools: FfmpegTools,
  signal?: AbortSignal,
): Promise<readonly number[]> => {
  const entries = ['-show_entries', 'packet=pts,flags', '-of', 'csv=p=0']
  const args = [
    '-v',
    'error',
    '-protocol_whitelist',
    'file,pipe',
    '-select_streams',
    String(stream.index),
    ...entries,
    '--',
    file,
  ]
  const { num, den } = stream.timeBase ?? { num: 1, den: TICKS }
  const times = (await runProcess(tools.ffprobe, args, signal)).split('\n').flatMap((line) => {
    const [pts, flags = ''] = line.split(',')
    // Packets marked D feed the decoder and are not shown.
    return !pts || !Number.isFinite(Number(pts)) || flags.includes('D')
      ? []
      : (Number(pts) * num * TICKS) / den
  })
  return [...new Set(times)].sort((a, b) => a - b)
}

/** Index of the frame that is shown at a time stamp in ticks: the last that has begun, else the first. */
export const frameIndexAt = (times: readonly number[], tick: number): number => {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((times[middle] ?? 0) <= tick) low = middle
    else high = middle - 1
  }
  return low
}
