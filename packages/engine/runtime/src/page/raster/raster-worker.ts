import { areEqual, comparePictures } from '../../contract/likeness.ts'
import { partsOf, type RowBand } from '../../contract/picture-rows.ts'
import type { Likeness } from '../../contract/raster.ts'
import { areDrawnAlike, drawStill } from './background-drawing.ts'
import { clear, type ElementContext } from './element-context.ts'
import { createPixelReader, type PixelReader } from './pixel-reader.ts'
import type {
  RasterCompare,
  RasterDone,
  RasterDraw,
  RasterJob,
  RasterKeep,
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

/** Draws captured elements and writes the rows of their pixels that differ from the picture before. */
const createRasterizer = (context: ElementContext, file: SlotFile, settings: RasterOpen) => {
  const { alpha, onGpu = false, planar: base64 } = settings
  const opaque = !alpha
  const module = bytesOf(base64)
  const { width, height } = context.canvas
  const readers = new Map<boolean, Promise<PixelReader>>()
  const pictures = new Map<number, Pixels & Pick<RasterDraw, 'smoothed'>>()

  const readerOf = (planar: boolean): Promise<PixelReader> => {
    const reader = readers.get(planar) ?? createPixelReader({ width, height, planar, alpha, onGpu, module })
    readers.set(planar, reader)
    return reader
  }
  /** Throws if what was read from a canvas is an empty picture, since its content was lost. */
  const checkLoss = (drawn: ElementContext) => {
    if (onGpu) isLost ||= drawn.isContextLost()
    if (isLost) throw new Error('the GPU lost the picture')
  }

  return {
    async draw({ picture, frame, slot, planar, fresh, keep, smoothed }: RasterDraw): Promise<readonly RowBand[]> {
      clear(context, opaque)
      context.drawElementImage(picture, 0, 0)
      picture.close?.()
      const { pixels, changed } = await (await readerOf(planar)).read(context.canvas)
      checkLoss(context)
      if (keep) pictures.set(frame, { bytes: pixels.slice(), planar, smoothed })
      const rows = fresh ? [{ first: 0, end: height }] : changed
      file.write(slot, partsOf(pixels, rows, { width, height, planar, alpha }))
      return rows
    },
    async keep({ picture, kept, planar, smoothed }: RasterKeep): Promise<void> {
      clear(context, opaque)
      context.drawElementImage(picture, 0, 0)
      picture.close?.()
      const bytes = (await (await readerOf(planar)).readOther(context.canvas)).slice()
      checkLoss(context)
      pictures.set(kept, { bytes, planar, smoothed })
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
      const pixels = await (await readerOf(captured.planar)).readOther(other.canvas)
      checkLoss(other)
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
    return { drawn: [] }
  }
  if (!rasterizer) throw new Error('the pixel file is not open')
  if ('screenshot' in job) return rasterizer.compareWith(job)
  if ('area' in job) return { still: await rasterizer.makeStill(job) }
  if ('pictures' in job) return { equal: await rasterizer.haveEqualPixels(job) }
  if ('kept' in job) {
    await rasterizer.keep(job)
    return { drawn: [] }
  }
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
