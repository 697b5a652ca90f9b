import { dirname } from 'node:path'
import { fail } from '../errors.ts'
import { startMediaRead } from '../probe/media-read.ts'
import { readSource } from '../probe/source.ts'
import { findFfmpeg } from '../tools/find.ts'
import { QUIET } from '../tools/process.ts'

/** The sound of a file to write as a wav. */
export interface PlainWavJob {
  readonly file: string
  /** Absolute path of the wav, in a folder for it alone. */
  readonly output: string
  /** Samples per second. */
  readonly rate: number
  readonly channels: number
  readonly signal: AbortSignal
}

/** Writes the first sound stream of a file as a wav of 16 bits, by its clock; VID_FFMPEG_PROBE for a file without sound. */
export const writePlainWav = async ({ file, output, rate, channels, signal }: PlainWavJob): Promise<void> => {
  const tools = await findFfmpeg({ signal })
  const { sound, soundIndex, preRoll } = await readSource(file, { signal, tools })
  if (!sound) throw fail('VID_FFMPEG_PROBE', { file, reason: 'it has no sound.' })
  // ffmpeg starts with the pre-roll, players start at time 0.
  const filters = [`aresample=${rate}:async=1:first_pts=0`, `atrim=start_sample=${Math.round(preRoll * rate)}`]
  const format = ['-ac', `${channels}`, '-c:a', 'pcm_s16le', '-map_metadata', '-1', '-fflags', '+bitexact']
  const after = [
    '-map',
    `0:${soundIndex}`,
    '-af',
    filters.join(),
    ...format,
    '-flags:a',
    '+bitexact',
    '-f',
    'wav',
    `file:${output}`,
  ]
  const read = { program: tools.ffmpeg, before: QUIET, file, after, writes: dirname(output) }
  const child = await startMediaRead(read, signal)
  child.stdout.resume()
  await child.succeeded()
}
