import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, mediaInput, QUIET, readSource, runProcess, type SourceFile } from '@vid/ffmpeg'
import { scratchName } from '@vid/kernel'
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
  /** Folder for temporary files. */
  readonly scratch: string
  readonly signal: AbortSignal
}

const openVideo = async ({ file, src, signal }: FilmstripJob): Promise<SourceFile> => {
  const source = await readSource(file, { signal })
  if (source.picture === null) throw fail('VID_PREVIEW_SOURCE', { src, needs: 'picture' })
  return source
}

/** A JPEG of `count` pictures, each from the middle of one of as many equal parts of the video. */
export const makeFilmstrip = async (job: FilmstripJob): Promise<Buffer> => {
  const { file, height, count, scratch, signal } = job
  const { duration } = await openVideo(job)
  const { ffmpeg } = await findFfmpeg({ signal })
  const name = scratchName('strip-')
  const part = duration / count
  const paths = Array.from({ length: count }, (_, index) => join(scratch, `${name}-${index}.jpg`))
  const strip = join(scratch, `${name}.jpg`)
  try {
    // A seek to each picture reads little of a long video; decoding all of it would take as long as playing it.
    for (const [index, path] of paths.entries()) {
      const seek = ['-ss', String((index + 0.5) * part), ...(await mediaInput(file))]
      const picture = ['-map', '0:v:0', '-frames:v', '1', '-vf', `scale=-2:${height},format=yuvj420p`]
      await runProcess(ffmpeg, [...QUIET, ...seek, ...picture, '-f', 'mjpeg', '-y', path], signal)
    }
    const inputs = paths.flatMap((path) => ['-i', path])
    const joined = count === 1 ? 'null' : `hstack=inputs=${count}`
    await runProcess(
      ffmpeg,
      [
        ...QUIET,
        ...inputs,
        '-filter_complex',
        joined,
        '-frames:v',
        '1',
        '-q:v',
        '5',
        '-f',
        'mjpeg',
        '-y',
        strip,
      ],
      signal,
    )
    return await readFile(strip)
  } finally {
    await Promise.all([...paths, strip].map((path) => rm(path, { force: true })))
  }
}
