/** The first job: the canvas to draw on and the file that takes the pixels, `mark` written at its beginning. */
export interface RasterOpen {
  readonly canvas: OffscreenCanvas
  readonly alpha: boolean
  readonly slots: number
  readonly mark: string
  /** The module that makes planar pictures, in base64. */
  readonly planar: string
}

/** One captured element and the slot for its pixels. */
export interface RasterDraw {
  readonly picture: object
  readonly slot: number
  /** Whether the slot takes planar yuv420p instead of rgba. */
  readonly planar: boolean
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

/** What the module exports. */
interface PlanarModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convert(from: number, to: number, width: number, height: number): void
}

type Words = BigUint64Array | Uint32Array | Uint8Array

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
  let planar: (() => Promise<Uint8Array>) | undefined
  let before: { readonly bytes: Uint8Array; readonly planar: boolean } | undefined

  /** Makes planar pictures of what the canvas shows, in two places in turn, so that one can be compared to the other. */
  const createPlanar = async (canvas: OffscreenCanvas, text: string) => {
    const { width, height } = canvas
    const { instance } = await WebAssembly.instantiate(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))
    const { memory, convert } = instance.exports as unknown as PlanarModule
    const size = (width * height * 3) / 2
    // Each begins where it can be read as words.
    const places = [width * height * 4, width * height * 4 + Math.ceil(size / 8) * 8]
    memory.grow(Math.ceil((places[1]! + size) / 65536))
    const pixels = new Uint8Array(memory.buffer, 0, width * height * 4)
    let turn = 0
    return async () => {
      const frame = new VideoFrame(canvas, { timestamp: 0, alpha: 'discard' })
      try {
        if (frame.format !== 'BGRX') throw new Error(`the canvas holds ${frame.format} pixels`)
        await frame.copyTo(pixels, { layout: [{ offset: 0, stride: width * 4 }] })
      } finally {
        frame.close()
      }
      turn = 1 - turn
      const to = places[turn]!
      convert(0, to, width, height)
      return new Uint8Array(memory.buffer, to, size)
    }
  }

  const open = async ({ canvas, alpha, slots, mark, planar: text }: RasterOpen) => {
    context =
      (canvas.getContext('2d', { alpha, willReadFrequently: true }) as ElementContext | null) ?? undefined
    if (!context?.drawElementImage) throw new Error('a worker cannot draw elements')
    context.fillStyle = '#fff'
    opaque = !alpha
    if (opaque) planar = await createPlanar(canvas, text)
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(mark, { create: true })
    file = await (
      handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }
    ).createSyncAccessHandle()
    file.truncate(canvas.width * canvas.height * 4 * slots)
    file.write(new TextEncoder().encode(mark), { at: 0 })
  }

  const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Words =>
    length % 8 === 0
      ? new BigUint64Array(buffer, byteOffset, length / 8)
      : length % 4 === 0
        ? new Uint32Array(buffer, byteOffset, length / 4)
        : new Uint8Array(buffer, byteOffset, length)

  const areEqual = (one: Uint8Array, other: Uint8Array) => {
    const [words, others] = [wordsOf(one), wordsOf(other)]
    for (let at = 0; at < words.length; at++) if (words[at] !== others[at]) return false
    return true
  }

  const draw = async ({ picture, slot, fresh, planar: isPlanar }: RasterDraw) => {
    if (!context || !file) throw new Error('the ring is not open')
    const { width, height } = context.canvas
    if (opaque) context.fillRect(0, 0, width, height)
    else context.clearRect(0, 0, width, height)
    context.drawElementImage(picture, 0, 0)
    ;(picture as Picture).close?.()
    const bytes =
      isPlanar && planar ? await planar() : new Uint8Array(context.getImageData(0, 0, width, height).data.buffer)
    const isRepeat = !fresh && before?.planar === isPlanar && areEqual(bytes, before.bytes)
    before = { bytes, planar: isPlanar }
    if (isRepeat) return false
    const written = file.write(bytes, { at: slot * width * height * 4 })
    if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes fit into the ring`)
    return true
  }

  let last: Promise<void> = Promise.resolve()
  scope.onmessage = ({ data: job }) => {
    last = last.then(async () => {
      try {
        if ('canvas' in job) await open(job)
        scope.postMessage({ drawn: 'picture' in job && (await draw(job)) })
      } catch (error) {
        scope.postMessage({ problem: String(error) })
      }
    })
  }
}
