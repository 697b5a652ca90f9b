import { rename, rm } from 'node:fs/promises'
import { type FfmpegTools, findFfmpeg } from './find.ts'
import { QUIET, startProcess } from './process.ts'

/** A file of a known number of frames. */
export interface SegmentFile {
  /** Absolute path. */
  readonly file: string
  readonly frames: number
}

export interface JoinJob {
  readonly segments: readonly SegmentFile[]
  readonly fps: number
  /** A file whose first sound stream goes in as well, by absolute path, and ffmpeg's options to encode it. */
  readonly audio?: { readonly file: string; readonly codecArgs: readonly string[] }
  /** Microseconds that all times of the container are whole numbers of; default 1. */
  readonly tickUs?: number
  /** Output options for the muxer, `-f` included. */
  readonly muxerArgs: readonly string[]
  /** Absolute; written as a whole or not at all. */
  readonly outputPath: string
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

/** With its protocol, since ffmpeg 5 takes a bare path for one relative to the pipe the list comes from. */
const quote = (path: string) => `'file:${path.replaceAll("'", String.raw`'\''`)}'`

/** The list for ffmpeg's concat demuxer; each length is rounded so that no error adds up over many segments. */
const concatList = ({ segments, fps, tickUs = 1 }: JoinJob): string => {
  const timeUs = (frames: number) => Math.round((frames * 1e6) / fps / tickUs) * tickUs
  const lines = ['ffconcat version 1.0']
  let frames = 0
  for (const segment of segments) {
    const startUs = timeUs(frames)
    frames += segment.frames
    const lengthUs = timeUs(frames) - startUs
    lines.push(`file ${quote(segment.file)}`, `duration ${(lengthUs / 1e6).toFixed(6)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Options that keep dates and program names out of a file. */
const BITEXACT = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags', '+bitexact']

/** Joins segments into one file without encoding again; equal inputs give equal bytes. */
export const joinSegments = async (job: JoinJob): Promise<void> => {
  job.signal.throwIfAborted()
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal: job.signal }))
  const partial = `${job.outputPath}.partial`
  const list = ['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'file,pipe', '-i', 'pipe:0']
  const audio = job.audio === undefined ? [] : ['-i', `file:${job.audio.file}`]
  const maps = ['-map', '0:v:0', ...(job.audio === undefined ? [] : ['-map', '1:a:0'])]
  try {
    const child = startProcess(
      ffmpeg,
      [
        ...QUIET,
        ...list,
        ...audio,
        ...maps,
        '-c',
        'copy',
        ...(job.audio?.codecArgs ?? []),
        ...BITEXACT,
        ...job.muxerArgs,
        '-y',
        partial,
      ],
      job.signal,
    )
    child.stdout.resume()
    child.stdin.end(concatList(job))
    await child.succeeded()
    await rename(partial, job.outputPath)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
