import { dirname, join } from 'node:path'
import { fail } from '../errors.ts'
import { probeMedia } from '../probe/probe.ts'
import { findFfmpeg } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { QUIET, runProcess } from '../tools/process.ts'
import { EXACT, imageFilters } from './extract.ts'

/** All frames of a small SDR video, side by side on sheets. */
export interface TilesJob {
  readonly file: string
  /** Pixels of one frame on a sheet, both even. */
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  /** Absolute path of a sheet, with `%d` for its number, counted from 0. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Writes the frames of a video as tiles, from left to right and from top to bottom, on as many JPEG sheets as they need. */
export const writeTiles = async (job: TilesJob): Promise<void> => {
  const { file, width, height, columns, rows, path, signal } = job
  const tools = await findFfmpeg({ signal })
  const [stream] = (await probeMedia(file, { signal, tools })).video
  if (!stream) throw fail('VID_FFMPEG_PROBE', { file, reason: 'it has no video.' })
  const filters = [
    `scale=${width}:${height}:${EXACT}`,
    ...imageFilters(stream, { frameFormat: 'jpg', alpha: false, lut: undefined }),
    `tile=${columns}x${rows}`,
  ]
  const input = ['-i', `file:${file}`, '-map', '0:v:0', '-vf', filters.join(',')]
  const picture = [
    ...passthrough(tools),
    '-c:v',
    'mjpeg',
    '-q:v',
    '4',
    '-huffman',
    'default',
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
  ]
  const escaped = join(dirname(path).replaceAll('%', '%%'), path.slice(dirname(path).length + 1))
  await runProcess(
    tools.ffmpeg,
    [...QUIET, ...input, ...picture, '-f', 'image2', '-start_number', '0', '-y', escaped],
    signal,
  )
}
