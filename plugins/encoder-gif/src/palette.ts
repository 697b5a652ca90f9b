import { once } from 'node:events'
import { cutPictures, type FfmpegTools, passthrough, QUIET, readPngs, startProcess } from '@vid/ffmpeg'
import { PALETTE } from './palette-size.ts'

/** The frames of the whole video, as files of images. */
export interface ImageFiles {
  readonly files: readonly string[]
  readonly width: number
  readonly height: number
  readonly signal: AbortSignal
  readonly tools: FfmpegTools
}

const IMAGES = ['-f', 'image2pipe', '-c:v', 'png', '-framerate', '1', '-i', 'pipe:0']

async function* imagesOf({ files, signal }: ImageFiles) {
  for (const file of files) yield* readPngs(file, signal)
}

/** All images, and the first once more: palettegen counts only pixels that change afterwards, so it misses the last frame. */
async function* loopOf(images: ImageFiles) {
  yield* imagesOf(images)
  for await (const image of imagesOf(images)) {
    yield image
    return
  }
}

/** Runs ffmpeg over images and returns its raw pictures of `bytes` bytes each. */
async function* filterImages(
  input: AsyncIterable<Buffer>,
  { signal, tools }: ImageFiles,
  args: readonly string[],
  bytes: number,
): AsyncGenerator<Uint8Array> {
  const child = startProcess(tools.ffmpeg, [...QUIET, ...IMAGES, ...args, 'pipe:1'], signal)
  const exited = child.finished.catch(() => {})
  const feed = async () => {
    // A process that has exited never drains its pipe.
    for await (const image of input)
      if (!child.stdin.write(image)) await Promise.race([once(child.stdin, 'drain', { signal }), exited])
    child.stdin.end()
  }
  const inputEnd = feed()
  inputEnd.catch(() => child.kill())
  try {
    yield* cutPictures(child.stdout, bytes)
    await child.succeeded()
    await inputEnd
  } catch (error) {
    await inputEnd
    await child.succeeded()
    throw error
  } finally {
    child.kill()
    await exited
  }
}

/** Computes the palette of the whole video, weighted by what changes: RGBA colours, one of them transparent. */
export const findPalette = async (images: ImageFiles, colours: number): Promise<Uint8Array> => {
  const filter = `palettegen=stats_mode=diff:reserve_transparent=1:max_colors=${colours}`
  const args = ['-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgba']
  let palette = new Uint8Array()
  for await (const image of filterImages(loopOf(images), images, args, PALETTE.entries * PALETTE.bytes))
    palette = image.slice()
  return palette
}

/** All frames as RGBA pixels. */
export const pixelsOf = (images: ImageFiles): AsyncGenerator<Uint8Array> =>
  filterImages(
    imagesOf(images),
    images,
    [...passthrough(images.tools), '-f', 'rawvideo', '-pix_fmt', 'rgba'],
    images.width * images.height * 4,
  )
