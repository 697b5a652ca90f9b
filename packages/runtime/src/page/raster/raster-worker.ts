import { areEqual, comparePictures } from '../../contract/likeness.ts'
import type { Likeness } from '../../contract/raster.ts'
import { areDrawnAlike, drawStill } from './background-drawing.ts'
import { clear, type ElementContext } from './element-context.ts'
import { createPixelReader, type PixelReader } from './pixel-reader.ts'
import type {
  RasterCompare,
  RasterDone,
  RasterDraw,
  RasterJob,
  RasterOpen,
  RasterProof,
  RasterStill,
} from './raster-jobs.ts'
import { openSlotFile, type SlotFile } from './slot-file.ts'

/** Runs as a worker with a separate script. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<RasterJob>) => void) | null
  postMessage(answer: RasterDone): void
}

interface Pixels {
  readonly bytes: Uint8Array
  readonly planar: boolean
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Whether a picture that was drawn here on a GPU was lost; a canvas that was restored since is empty. */
let isLost = false

const contextOf = (
  canvas: OffscreenCanvas,
  { alpha, onGpu = false }: Pick<RasterOpen, 'alpha' | 'onGpu'>,
): ElementContext => {
  const context = canvas.getContext('2d', { alpha, willReadFrequently: !onGpu }) as ElementContext | null
  if (!context?.drawElementImage) throw new Error('a worker cannot draw elements')
  if (onGpu)
    canvas.addEventListener('contextlost', () => {
      isLost = true
    })
  context.fillStyle = '#fff'
  return context
}

/** Draws captured elements and writes their pixels; a picture that equals the one before is not written again. */
const createRasterizer = (context: ElementContext, file: SlotFile, settings: RasterOpen) => {
  const { alpha, onGpu = false, planar: base64 } = settings
  const opaque = !alpha
  const module = bytesOf(base64)
  const { width, height } = context.canvas
  const readers = new Map<boolean, Promise<PixelReader>>()
  const pictures = new Map<number, Pixels & Pick<RasterDraw, 'smoothed'>>()
  let previous: Pixels | undefined

  const pixelsOf = async (drawn: ElementContext, planar: boolean): Promise<Uint8Array> => {
    const reader = readers.get(planar) ?? createPixelReader({ width, height, planar, opaque, onGpu, module })
    readers.set(planar, reader)
    const bytes = await (await reader)(drawn.canvas)
    // Its content is lost, and it reads as an empty picture.
    if (onGpu) isLost ||= drawn.isContextLost()
    if (isLost) throw new Error('the GPU lost the picture')
    return bytes
  }

  return {
    async draw({ picture, frame, slot, planar, fresh, keep, smoothed }: RasterDraw): Promise<boolean> {
      clear(context, opaque)
      context.drawElementImage(picture, 0, 0)
      picture.close?.()
      const bytes = await pixelsOf(context, planar)
      if (keep) pictures.set(frame, { bytes: bytes.slice(), planar, smoothed })
      const isRepeat = !fresh && previous?.planar === planar && areEqual(bytes, previous.bytes)
      previous = { bytes, planar }
      if (!isRepeat) file.write(slot, bytes)
      return !isRepeat
    },
    makeStill: (job: RasterStill) => drawStill(context, job),
    haveEqualPixels: (job: RasterProof) => areDrawnAlike(context, opaque, job.pictures),
    async compareWith({ compared, screenshot }: RasterCompare): Promise<Likeness> {
      const captured = pictures.get(compared)
      pictures.delete(compared)
      if (!captured) throw new Error(`frame ${compared} was not kept`)
      const image = await createImageBitmap(new Blob([bytesOf(screenshot)], { type: 'image/png' }))
      // Through a canvas of the same kind, so that alpha is rounded alike.
      const other = contextOf(new OffscreenCanvas(width, height), settings)
      clear(other, opaque)
      other.drawImage(image, 0, 0)
      image.close()
      // The reader alternates between two buffers, so that this picture does not overwrite the previous one.
      const last = previous?.planar === captured.planar ? { ...previous, bytes: previous.bytes.slice() } : previous
      const pixels = await pixelsOf(other, captured.planar)
      previous = last
      return areEqual(pixels, captured.bytes)
        ? { psnr: null, worstBlock: 0 }
        : comparePictures(captured.bytes, pixels, { width, height, ...captured })
    },
  }
}

let rasterizer: ReturnType<typeof createRasterizer> | undefined

const open = async (job: RasterOpen) => {
  const { canvas, mark, slots } = job
  const context = contextOf(canvas, job)
  const file = await openSlotFile(mark, slots, canvas.width * canvas.height * 4)
  rasterizer = createRasterizer(context, file, job)
}

const answer = async (job: RasterJob): Promise<RasterDone> => {
  if ('canvas' in job) {
    await open(job)
    return { drawn: false }
  }
  if (!rasterizer) throw new Error('the pixel file is not open')
  if ('screenshot' in job) return rasterizer.compareWith(job)
  if ('area' in job) return { still: await rasterizer.makeStill(job) }
  if ('pictures' in job) return { equal: await rasterizer.haveEqualPixels(job) }
  return { drawn: await rasterizer.draw(job) }
}

let last: Promise<void> = Promise.resolve()
scope.onmessage = ({ data: job }) => {
  last = last.then(async () => {
    try {
      scope.postMessage(await answer(job))
    } catch (error) {
      scope.postMessage({ problem: String(error), ...(isLost && { isLost }) })
    }
  })
}
