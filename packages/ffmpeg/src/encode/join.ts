import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { type MediaProcess, QUIET, startProcess } from '../tools/process.ts'
import { pictureHead, streamArgs, streamHead } from './matroska.ts'

/** A file of a known number of frames. */
export interface SegmentFile {
  /** Absolute path. */
  readonly file: string
  readonly frames: number
}

interface Joining {
  readonly fps: number
  /** A file whose first sound stream goes in as well, by absolute path, and ffmpeg's options to encode it. */
  readonly audio?: { readonly file: string; readonly codecArgs: readonly string[] }
  /** Output options for the muxer, `-f` included. */
  readonly muxerArgs: readonly string[]
  /** Absolute; written as a whole or not at all. */
  readonly outputPath: string
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

export interface JoinJob extends Joining {
  readonly segments: readonly SegmentFile[]
  /** Microseconds that all times of the container are whole numbers of; default 1. */
  readonly tickUs?: number
}

export interface ProresJob extends Joining {
  /** Whole ProRes frames, one for each frame of the video. */
  readonly pictures: AsyncIterable<Buffer>
  /** The four letters of the kind of ProRes. */
  readonly tag: string
  /** Bits of a pixel: 32 with alpha, 24 without. */
  readonly depth: number
  readonly width: number
  readonly height: number
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

/** Writes one file of what `feed` gives to the stdin of ffmpeg, `input` saying what that is. */
const copyInto = async (
  job: Joining,
  input: readonly string[],
  feed: (child: MediaProcess) => Promise<unknown>,
): Promise<void> => {
  job.signal.throwIfAborted()
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal: job.signal }))
  const partial = `${job.outputPath}.partial`
  const audio = job.audio === undefined ? [] : ['-i', `file:${job.audio.file}`]
  const maps = ['-map', '0:v:0', ...(job.audio === undefined ? [] : ['-map', '1:a:0'])]
  let child: MediaProcess | undefined
  try {
    child = startProcess(
      ffmpeg,
      [
        ...QUIET,
        ...input,
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
    const { finished } = child
    // When both fail, the process knows why.
    const feeding = feed(child).catch((thrown) => finished.then(() => Promise.reject(thrown)))
    await Promise.race([feeding, finished])
    await child.succeeded()
    await rename(partial, job.outputPath)
  } catch (error) {
    child?.kill()
    await child?.finished.catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

/** Joins segments into one file without encoding again; equal inputs give equal bytes. */
export const joinSegments = (job: JoinJob): Promise<void> => {
  const list = ['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'file,pipe', '-i', 'pipe:0']
  return copyInto(job, list, async ({ stdin }) => stdin.end(concatList(job)))
}

/** Length and name before each ProRes frame, which Matroska leaves out. */
const PRORES_HEAD = 8

async function* proresStream({ pictures, tag, depth, ...job }: ProresJob): AsyncGenerator<Buffer> {
  yield streamHead({ ...job, pictures: { prores: tag, depth } })
  let at = 0
  for await (const picture of pictures) {
    const bytes = picture.subarray(PRORES_HEAD)
    yield pictureHead(at++, bytes.length, job.fps)
    yield bytes
  }
}

/** Joins ProRes frames into one file without encoding again; equal inputs give equal bytes. */
export const joinProres = (job: ProresJob): Promise<void> =>
  copyInto(job, streamArgs, ({ stdin }) =>
    pipeline(Readable.from(proresStream(job)), stdin, { signal: job.signal }),
  )
