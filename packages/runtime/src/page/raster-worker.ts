/** The first job: the canvas to draw on and the file that takes the pixels, `mark` written at its beginning. */
export interface RasterOpen {
  readonly canvas: OffscreenCanvas
  readonly alpha: boolean
  readonly slots: number
  readonly mark: string
}

/** One captured element and the slot for its pixels. */
export interface RasterDraw {
  readonly picture: object
  readonly slot: number
  /** True for a picture that is never a repeat. */
  readonly fresh: boolean
}

/** What the page sends to the worker. */
export type RasterJob = RasterOpen | RasterDraw

/** What the worker answers to each job, in order. */
export type RasterDone = { readonly drawn: boolean } | { readonly problem: string }

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

/**
 * Runs as a worker, from its own source text: it must name nothing outside itself. It draws captured elements and
 * writes their pixels into the slots of a file; a picture equal to the one before is not written again.
 */
export const rasterWorker = (scope: {
  onmessage: ((event: MessageEvent<RasterJob>) => void) | null
  postMessage(answer: RasterDone): void
}): void => {
  let context: ElementContext | undefined
  let opaque = true
  let file: SyncFile | undefined
  let before: BigUint64Array | Uint32Array | undefined

  const open = async (job: RasterOpen) => {
    const { canvas, alpha, slots, mark } = job
    context =
      (canvas.getContext('2d', { alpha, willReadFrequently: true }) as ElementContext | null) ?? undefined
    if (!context?.drawElementImage) throw new Error('a worker cannot draw elements')
    context.fillStyle = '#fff'
    opaque = !alpha
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(mark, { create: true })
    file = await (
      handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }
    ).createSyncAccessHandle()
    file.truncate(canvas.width * canvas.height * 4 * slots)
    file.write(new TextEncoder().encode(mark), { at: 0 })
  }

  const isRepeat = (pixels: BigUint64Array | Uint32Array) => {
    if (!before) return false
    for (let at = 0; at < pixels.length; at++) if (pixels[at] !== before[at]) return false
    return true
  }

  const draw = ({ picture, slot, fresh }: RasterDraw) => {
    if (!context || !file) throw new Error('the ring is not open')
    const { width, height } = context.canvas
    context.clearRect(0, 0, width, height)
    if (opaque) context.fillRect(0, 0, width, height)
    context.drawElementImage(picture, 0, 0)
    ;(picture as Picture).close?.()
    const { data } = context.getImageData(0, 0, width, height)
    const pixels = data.length % 8 ? new Uint32Array(data.buffer) : new BigUint64Array(data.buffer)
    if (!fresh && isRepeat(pixels)) return false
    before = pixels
    const written = file.write(new Uint8Array(data.buffer), { at: slot * data.length })
    if (written !== data.length) throw new Error(`only ${written} of ${data.length} bytes fit into the ring`)
    return true
  }

  let last: Promise<void> = Promise.resolve()
  scope.onmessage = ({ data: job }) => {
    last = last.then(async () => {
      try {
        if ('canvas' in job) await open(job)
        scope.postMessage({ drawn: 'picture' in job && draw(job) })
      } catch (error) {
        scope.postMessage({ problem: String(error) })
      }
    })
  }
}
