import { buffer } from 'node:stream/consumers'
import { findFfmpeg, QUIET, readSource, type SourceFile, startMediaRead, startProcess } from '@vid/ffmpeg'
import { fail } from '../errors.ts'

/** Small pictures of a video side by side. */
export interface FilmstripJob {
  /** Absolute. */
  readonly file: string
  /** Its name in messages. */
  readonly src: string
  /** Pixels of each picture. */
  readonly height: number
  readonly count: number
  readonly signal: AbortSignal
}

/** Bytes of a pixel. */
const DEPTH = 3

const openVideo = async ({
  file,
  src,
  signal,
}: FilmstripJob): Promise<NonNullable<SourceFile['picture']> & { duration: number }> => {
  const { picture, duration } = await readSource(file, { signal })
  if (picture === null) throw fail('VID_PREVIEW_SOURCE', { src, needs: 'picture' })
  return { ...picture, duration }
}

/** A JPEG of `count` pictures, each from the middle of one of as many equal parts of the video. */
export const makeFilmstrip = async (job: FilmstripJob): Promise<Buffer> => {
  const { file, height, count, signal } = job
  const picture = await openVideo(job)
  const { ffmpeg } = await findFfmpeg({ signal })
  const width = Math.max(2, 2 * Math.round((height * picture.width) / picture.height / 2))
  const strip = Buffer.alloc(width * count * height * DEPTH)
  // A seek to each picture reads little of a long video; decoding all of it would take as long as playing it.
  for (let index = 0; index < count; index++) {
    const before = [...QUIET, '-ss', String(((index + 0.5) * picture.duration) / count)]
    const videoArgs = ['-map', '0:v:0', '-frames:v', '1', '-vf', `scale=${width}:${height}`]
    const after = [...videoArgs, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1']
    const child = await startMediaRead({ program: ffmpeg, before, file, after }, signal)
    const [pixels] = await Promise.all([buffer(child.stdout), child.finished])
    for (let row = 0; row < height; row++)
      pixels.copy(strip, (row * count + index) * width * DEPTH, row * width * DEPTH, (row + 1) * width * DEPTH)
  }
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width * count}x${height}`, '-i', 'pipe:0']
  const jpeg = ['-frames:v', '1', '-pix_fmt', 'yuvj420p', '-q:v', '5', '-f', 'mjpeg', 'pipe:1']
  const child = startProcess(ffmpeg, [...QUIET, ...raw, ...jpeg], signal)
  child.stdin.end(strip)
  const [bytes] = await Promise.all([buffer(child.stdout), child.finished])
  return bytes
}
