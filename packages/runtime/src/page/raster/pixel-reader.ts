/** The exports of `planar.wat`. */
interface PixelModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convert(from: number, to: number, width: number, height: number): void
  straighten(from: number, to: number, bytes: number, rgba: 0 | 1): void
  alphas(from: number, to: number, pixels: number): void
}

/** Reads the pixels that a canvas shows; they are valid until the call after the next one. */
export type PixelReader = (canvas: OffscreenCanvas) => Promise<Uint8Array>

/** What a reader is created for. */
export interface PixelReaderSettings {
  readonly width: number
  readonly height: number
  /** Planar pixels instead of straight rgba. */
  readonly planar: boolean
  /** False when the canvas has alpha, which planar pixels then have as one more plane. */
  readonly opaque: boolean
  /** The WebAssembly module that converts pixels. */
  readonly module: Uint8Array<ArrayBuffer>
}

/** Bytes that the module converts at once. */
const STEP = 16

const roundUp = (bytes: number): number => Math.ceil(bytes / STEP) * STEP

/** Creates a reader. It fills two buffers in turn, so that a picture can be compared with the one before. */
export const createPixelReader = async (settings: PixelReaderSettings): Promise<PixelReader> => {
  const { width, height, planar, opaque, module } = settings
  const { instance } = await WebAssembly.instantiate(module)
  const { memory, convert, straighten, alphas } = instance.exports as unknown as PixelModule
  const count = width * height
  const planes = count * 1.5
  const size = planar ? planes + (opaque ? 0 : count) : count * 4
  const source = roundUp(count * 4)
  const stride = roundUp(size)
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
    if (!planar) straighten(0, to, source, 1)
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
