import { writeMedia } from '../encode/media-write.ts'
import { mediaInput } from '../probe/media-input.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { QUIET, runProcess } from '../tools/process.ts'

/** A small picture of a video. */
export interface ThumbnailJob {
  readonly file: string
  /** Absolute path of the JPEG; written completely or not at all. */
  readonly path: string
  /** Time of the frame. */
  readonly seconds: number
  /** Most pixels of its longer side; a smaller picture keeps its size. */
  readonly maxSide: number
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

/** Writes one frame of a video as a JPEG. */
export const writeThumbnail = async (job: ThumbnailJob): Promise<void> => {
  const { file, path, seconds, maxSide, signal } = job
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal }))
  const fit = `scale=w='min(iw,${maxSide})':h='min(ih,${maxSide})':force_original_aspect_ratio=decrease`
  const input = ['-ss', String(seconds), ...(await mediaInput(file))]
  const picture = ['-map', '0:v:0', '-frames:v', '1', '-vf', `${fit},format=yuvj420p`, '-q:v', '4']
  await writeMedia(path, signal, async (partial) => {
    const output = ['-map_metadata', '-1', '-fflags', '+bitexact', '-f', 'mjpeg', '-y', partial]
    await runProcess(ffmpeg, [...QUIET, ...input, ...picture, ...output], signal)
  })
}
