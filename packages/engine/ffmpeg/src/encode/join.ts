import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FrameRate, ratioOf } from '@vid/protocol'
import { DEMUXERS } from '../probe/container.ts'
import { mediaInput } from '../probe/media-input.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { type MediaProcess, QUIET, startProcess } from '../tools/process.ts'
import { type ChapterArgs, type Chapters, withChapters } from './chapters.ts'
import { isMovie, writeEditedDurations } from './edited-durations.ts'
import { pictureHead, streamArgs, streamHead } from './matroska.ts'
import { type TextTrack, type TextTrackArgs, withTextTracks } from './text-tracks.ts'

/** A file with a known number of frames. */
export interface SegmentFile {
  /** Absolute path. */
  readonly file: string
  readonly frames: number
}

interface Joining {
  readonly fps: FrameRate
  /** A file whose first sound stream is added, by absolute path, and ffmpeg's options to encode it. */
  readonly audio?: { readonly file: string; readonly codecArgs: readonly string[] }
  readonly textTracks?: readonly TextTrack[] | undefined
  readonly chapters?: Chapters | undefined
  /** Output options for the muxer, `-f` included. */
  readonly muxerArgs: readonly string[]
  /** Absolute; written completely or not at all. */
  readonly outputPath: string
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

/** Segments to join. */
interface JoinJob extends Joining {
  readonly segments: readonly SegmentFile[]
  /** Time unit of the container in microseconds; default 1. */
  readonly tickUs?: number
}

/** ProRes frames to join. */
export interface ProresJob extends Joining {
  /** Complete ProRes frames, one for each frame of the video. */
  readonly pictures: AsyncIterable<Buffer>
  /** FourCC of the ProRes profile. */
  readonly tag: string
  /** Bits per pixel: 32 with alpha, 24 without. */
  readonly depth: number
  readonly width: number
  readonly height: number
}

/** Quotes a path with its protocol, since ffmpeg 5 resolves a bare path relative to the pipe of the list. */
const quote = (path: string) => `'file:${path.replaceAll("'", String.raw`'\''`)}'`

/** The list for ffmpeg's concat demuxer; durations are rounded so that errors do not add up over many segments. */
const concatList = ({ segments, fps, tickUs = 1 }: JoinJob): string => {
  const { num, den } = ratioOf(fps)
  const timeUs = (frames: number) => Math.round((frames * 1e6 * den) / num / tickUs) * tickUs
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

/** Nothing of the inputs but titles of chapters, and the same bytes for the same input. */
const BITEXACT = ['-map_metadata:g', '-1', '-map_metadata:s', '-1', '-fflags', '+bitexact', '-flags', '+bitexact']

/** ffmpeg's name of the muxer: the name of the output may have any extension, or none. */
const muxerOf = ({ muxerArgs }: Joining): string => muxerArgs[muxerArgs.lastIndexOf('-f') + 1] ?? ''

/** Muxes what `feed` writes to ffmpeg's stdin into one file; `input` are the input options for it. */
const copyInto = (
  job: Joining,
  input: readonly string[],
  feed: (child: MediaProcess) => Promise<unknown>,
): Promise<void> =>
  withTextTracks(muxerOf(job), job.textTracks ?? [], (texts) =>
    withChapters(job.chapters, (chapters) => copyWith(job, input, { texts, chapters }, feed)),
  )

const copyWith = async (
  job: Joining,
  input: readonly string[],
  { texts, chapters }: { readonly texts: TextTrackArgs; readonly chapters: ChapterArgs },
  feed: (child: MediaProcess) => Promise<unknown>,
): Promise<void> => {
  job.signal.throwIfAborted()
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal: job.signal }))
  const partial = `${job.outputPath}.partial`
  const audio = job.audio === undefined ? [] : await mediaInput(job.audio.file)
  const maps = ['-map', '0:v:0', ...(job.audio === undefined ? [] : ['-map', '1:a:0'])]
  const inputs = [...input, ...audio, ...texts.inputs, ...chapters.inputs]
  const firstText = job.audio === undefined ? 1 : 2
  const firstChapters = firstText + texts.inputs.filter((word) => word === '-i').length
  const outputs = [
    ...maps,
    '-c',
    'copy',
    ...(job.audio?.codecArgs ?? []),
    ...texts.outputs(firstText),
    ...chapters.outputs(firstChapters),
    ...BITEXACT,
    ...job.muxerArgs,
  ]
  let child: MediaProcess | undefined
  try {
    child = startProcess(ffmpeg, [...QUIET, ...inputs, ...outputs, '-y', partial], job.signal)
    child.stdout.resume()
    const { finished } = child
    // When writing and the process both fail, the process has the cause.
    const inputEnd = feed(child).catch((thrown) => finished.then(() => Promise.reject(thrown)))
    await Promise.race([inputEnd, finished])
    await child.succeeded()
    await texts.finish(partial)
    if (isMovie(muxerOf(job))) await writeEditedDurations(partial)
    await rename(partial, job.outputPath)
  } catch (error) {
    child?.kill()
    await child?.finished.catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

/** Joins segments into one file without re-encoding; equal inputs give equal bytes. */
export const joinSegments = (job: JoinJob): Promise<void> => {
  // The list is our own text and names any folder; a segment in it must not be a list again.
  const only = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', ['concat', ...DEMUXERS].join()]
  const list = [...only, '-f', 'concat', '-safe', '0', '-i', 'pipe:0']
  return copyInto(job, list, async ({ stdin }) => stdin.end(concatList(job)))
}

/** Bytes of length and name before each ProRes frame, which Matroska does not store. */
const PRORES_HEAD = 8

async function* proresStream({ pictures, tag, depth, ...job }: ProresJob): AsyncGenerator<Buffer> {
  yield streamHead({ ...job, pictures: { prores: tag, depth } })
  let index = 0
  for await (const picture of pictures) {
    const bytes = picture.subarray(PRORES_HEAD)
    yield pictureHead(index++, bytes.length, job.fps)
    yield bytes
  }
}

/** Joins ProRes frames into one file without re-encoding; equal inputs give equal bytes. */
export const joinProres = (job: ProresJob): Promise<void> =>
  copyInto(job, streamArgs, ({ stdin }) => pipeline(Readable.from(proresStream(job)), stdin, { signal: job.signal }))
