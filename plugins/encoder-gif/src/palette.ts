import { once } from 'node:events'
import { cutPictures, type FfmpegTools, passthrough, QUIET, readPngs, startProcess } from '@vid/ffmpeg'
import { PALETTE } from './gif-file.ts'

/** The whole video, in files of images. */
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

/** All images, and the first once more: palettegen counts what a change takes away, so never the last frame. */
async function* loopOf(images: ImageFiles) {
  yield* imagesOf(images)
  for await (const image of imagesOf(images)) {
    yield image
    return
  }
}

/** Runs ffmpeg over images and gives the raw pictures that it makes, of so many bytes each. */
async function* filterImages(
  given: AsyncIterable<Buffer>,
  { signal, tools }: ImageFiles,
  args: readonly string[],
  bytes: number,
): AsyncGenerator<Uint8Array> {
  const child = startProcess(tools.ffmpeg, [...QUIET, ...IMAGES, ...args, 'pipe:1'], signal)
  const gone = child.finished.catch(() => {})
  const feed = async () => {
    // A child that is gone never drains its pipe.
    // A child that is gone never drains its pipe.
    for await (const image of given)
      if (!child.stdin.write(image)) await Promise.race([once(child.stdin, 'drain', { signal }), gone])
    child.stdin.end()
  }
  const feeding = feed()
  feeding.catch(() => child.kill())
  try {
    yield* cutPictures(child.stdout, bytes)
    await child.succeeded()
    await feeding
  } catch (error) {
    await feeding
    await child.succeeded()
    throw error
  } finally {
    child.kill()
    await gone
  }
}

/** The colours that show the whole video best, those that change counting most: RGBA, the clear one among them. */
export const findPalette = async (images: ImageFiles, colours: number): Promise<Uint8Array> => {
  const filter = `palettegen=stats_mode=diff:reserve_transparent=1:max_colors=${colours}`
  const args = ['-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgba']
  let palette = new Uint8Array()
  for await (const found of filterImages(loopOf(images), images, args, PALETTE.entries * PALETTE.bytes))
    palette = found.slice()
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
