import type { Likeness } from '../../contract.ts'
import type { PictureShape } from './likeness.ts'

/** The first job: the canvas to draw on and the file that takes the pixels, `mark` written at its beginning. */
export interface RasterOpen {
  readonly canvas: OffscreenCanvas
  readonly alpha: boolean
  readonly slots: number
  readonly mark: string
  /** The module that makes planar pictures, in base64. */
  readonly planar: string
}

/** One captured element and what becomes of its pixels. */
export interface RasterDraw {
  readonly picture: object
  readonly frame: number
  readonly slot: number
  readonly planar: boolean
  /** Whether it is drawn even if its pixels equal those before. */
  readonly fresh: boolean
  /** Whether it will be compared. */
  readonly keep: boolean
}

/** A screenshot, a PNG in base64, to compare a kept frame to. */
export interface RasterCompare {
  readonly compared: number
  readonly screenshot: string
}

/** What the page sends to the worker. */
export type RasterJob = RasterOpen | RasterDraw | RasterCompare

/** What the worker answers to each job, in order. */
export type RasterDone = { readonly drawn: boolean } | Likeness | { readonly problem: string }

interface SyncFile {
  truncate(bytes: number): void
  write(bytes: Uint8Array, options: { at: number }): number
}

/** A captured element, which only its own canvas can draw; too new for the type library. */
interface Picture {
  close?(): void
}

interface ElementContext extends OffscreenCanvasRenderingContext2D {
  drawElementImage(picture: object, x: number, y: number): void
}

/** What the module exports. */
interface PixelModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convert(from: number, to: number, width: number, height: number): void
  straighten(from: number, to: number, bytes: number, rgba: 0 | 1): void
  alphas(from: number, to: number, pixels: number): void
}

type Reader = (canvas: OffscreenCanvas) => Promise<Uint8Array>

/**
 * Runs as a worker, from its own source text: it must name nothing outside itself. It draws captured elements and
 * writes their pixels into the slots of a file; a picture equal to the one before is not written again.
 */
export const rasterWorker = (
  scope: {
    onmessage: ((event: MessageEvent<RasterJob>) => void) | null
    postMessage(answer: RasterDone): void
  },
  compare: (one: Uint8Array, other: Uint8Array, shape: PictureShape) => Likeness,
): void => {
  let context: ElementContext | undefined
  let opaque = true
  let file: SyncFile | undefined
  let module = new Uint8Array()
  const readers = new Map<boolean, Promise<Reader>>()
  let before: { readonly bytes: Uint8Array; readonly planar: boolean } | undefined
  const kept = new Map<number, { readonly bytes: Uint8Array; readonly planar: boolean }>()

  /**
   * Makes pictures of what a canvas shows, in two places in turn, so that one can be compared to the other: straight
   * rgba, or planar, with a plane of alpha where the canvas has it.
   */
  const createReader = async ({ width, height }: OffscreenCanvas, isPlanar: boolean): Promise<Reader> => {
    const { instance } = await WebAssembly.instantiate(module)
    const { memory, convert, straighten, alphas } = instance.exports as unknown as PixelModule
    const count = width * height
    const planes = count * 1.5
    const size = isPlanar ? planes + (opaque ? 0 : count) : count * 4
    // Whole steps of the module, in which each picture begins too.
    const [source, stride] = [count * 4, size].map((bytes) => Math.ceil(bytes / 16) * 16) as [number, number]
    memory.grow(Math.ceil((source + 2 * stride) / 65536))
    const pixels = new Uint8Array(memory.buffer, 0, count * 4)
    let to = source
    return async (canvas) => {
      const frame = new VideoFrame(canvas, { timestamp: 0, alpha: opaque ? 'discard' : 'keep' })
      try {
        if (frame.format !== (opaque ? 'BGRX' : 'BGRA'))
          throw new Error(`the canvas holds ${frame.format} pixels`)
        await frame.copyTo(pixels, { layout: [{ offset: 0, stride: width * 4 }] })
      } finally {
        frame.close()
      }
      to = to === source ? source + stride : source
      if (!isPlanar) straighten(0, to, source, 1)
      else {
        if (!opaque) {
          straighten(0, 0, source, 0)
          alphas(0, to + planes, count)
        }
        convert(0, to, width, height)
      }
      return new Uint8Array(memory.buffer, to, size)
    }
  }

  const contextOf = (canvas: OffscreenCanvas, alpha: boolean) => {
    const made = canvas.getContext('2d', { alpha, willReadFrequently: true }) as ElementContext | null
    if (!made?.drawElementImage) throw new Error('a worker cannot draw elements')
    made.fillStyle = '#fff'
    return made
  }

  const open = async ({ canvas, alpha, slots, mark, planar }: RasterOpen) => {
    context = contextOf(canvas, alpha)
    opaque = !alpha
    module = Uint8Array.from(atob(planar), (c) => c.charCodeAt(0))
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(mark, { create: true })
    file = await (
      handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }
    ).createSyncAccessHandle()
    file.truncate(canvas.width * canvas.height * 4 * slots)
    file.write(new TextEncoder().encode(mark), { at: 0 })
  }

  const clear = (on: ElementContext) => {
    const { width, height } = on.canvas
    if (opaque) on.fillRect(0, 0, width, height)
    else on.clearRect(0, 0, width, height)
  }

  const pixelsOf = async ({ canvas }: ElementContext, planar: boolean): Promise<Uint8Array> => {
    const reader = readers.get(planar) ?? createReader(canvas, planar)
    readers.set(planar, reader)
    return (await reader)(canvas)
  }

  const areEqual = (one: Uint8Array, other: Uint8Array) => {
    const words = ({ buffer, byteOffset, length }: Uint8Array) =>
      length % 8 === 0
        ? new BigUint64Array(buffer, byteOffset, length / 8)
        : new Uint8Array(buffer, byteOffset, length)
    const [ones, others] = [words(one), words(other)]
    for (let at = 0; at < ones.length; at++) if (ones[at] !== others[at]) return false
    return true
  }

  const draw = async ({ picture, frame, slot, planar, fresh, keep }: RasterDraw) => {
    if (!context || !file) throw new Error('the ring is not open')
    const { width, height } = context.canvas
    clear(context)
    context.drawElementImage(picture, 0, 0)
    ;(picture as Picture).close?.()
    const bytes = await pixelsOf(context, planar)
    if (keep) kept.set(frame, { bytes: bytes.slice(), planar })
    const isRepeat = !fresh && before?.planar === planar && areEqual(bytes, before.bytes)
    before = { bytes, planar }
    if (isRepeat) return false
    const written = file.write(bytes, { at: slot * width * height * 4 })
    if (written !== bytes.length)
      throw new Error(`only ${written} of ${bytes.length} bytes fit into the ring`)
    return true
  }

  const compareTo = async ({ compared, screenshot }: RasterCompare): Promise<Likeness> => {
    const own = kept.get(compared)
    kept.delete(compared)
    if (!context || !own) throw new Error(`frame ${compared} was not kept`)
    const { width, height } = context.canvas
    const bytes = Uint8Array.from(atob(screenshot), (c) => c.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    // Through a canvas of the same kind, so that alpha is rounded alike.
    const other = contextOf(new OffscreenCanvas(width, height), !opaque)
    clear(other)
    other.drawImage(image, 0, 0)
    image.close()
    // Pictures lie in two places in turn: the one before is needed where it is.
    const last = before?.planar === own.planar ? { ...before, bytes: before.bytes.slice() } : before
    const pixels = await pixelsOf(other, own.planar)
    before = last
    return areEqual(pixels, own.bytes)
      ? { psnr: null, worstBlock: 0 }
      : compare(own.bytes, pixels, { width, height, planar: own.planar })
  }

  let last: Promise<void> = Promise.resolve()
  scope.onmessage = ({ data: job }) => {
    last = last.then(async () => {
      try {
        if ('screenshot' in job) return scope.postMessage(await compareTo(job))
        if ('canvas' in job) await open(job)
        scope.postMessage({ drawn: 'picture' in job && (await draw(job)) })
      } catch (error) {
        scope.postMessage({ problem: String(error) })
      }
    })
  }
}
