/** The exports of `planar.wat`. */
interface PixelModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convert(from: number, to: number, width: number, height: number): void
  straighten(from: number, to: number, bytes: number, rgba: 0 | 1): void
  alphas(from: number, to: number, pixels: number): void
}

/** Reads the pixels that a canvas shows; they are valid until the call after the next one. */
export type PixelReader = (canvas: OffscreenCanvas) => Promise<Uint8Array>

/** Options of a reader. */
export interface PixelReaderSettings {
  readonly width: number
  readonly height: number
  /** Planar pixels instead of straight rgba. */
  readonly planar: boolean
  /** False when the canvas has alpha, which planar pixels then have as one more plane. */
  readonly opaque: boolean
  /** Whether the canvas is on the GPU. */
  readonly onGpu: boolean
  /** The WebAssembly module that converts pixels. */
  readonly module: Uint8Array<ArrayBuffer>
}

/** Bytes that the module converts at once. */
const STEP = 16

/** Writes straight rgba pixels as bgra at `to`. */
const swapColours = (rgba: Uint8ClampedArray, to: Uint8Array) => {
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)
  const words = new Uint32Array(to.buffer, to.byteOffset, from.length)
  for (let index = 0; index < from.length; index++) {
    const word = from[index] as number
    words[index] = (word & 0xff00ff00) | ((word & 0xff) << 16) | ((word >>> 16) & 0xff)
  }
}

const roundUp = (bytes: number): number => Math.ceil(bytes / STEP) * STEP

/** Creates a reader. It alternates between two buffers, so that a picture can be compared with the previous one. */
export const createPixelReader = async (settings: PixelReaderSettings): Promise<PixelReader> => {
  const { width, height, planar, opaque, onGpu, module } = settings
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
  const readFrame = async (canvas: OffscreenCanvas) => {
    const frame = new VideoFrame(canvas, { timestamp: 0, alpha: opaque ? 'discard' : 'keep' })
    try {
      const format = opaque ? 'BGRX' : 'BGRA'
      const layout = [{ offset: 0, stride: width * 4 }]
      if (frame.format === format) await frame.copyTo(pixels, { layout })
      // The order of bytes that a GPU prefers.
      else if (onGpu && frame.format === 'RGBX') await frame.copyTo(pixels, { layout, format })
      else throw new Error(`the canvas holds ${frame.format} pixels`)
    } finally {
      frame.close()
    }
  }
  /** Straight pixels: whether a frame of a GPU is premultiplied depends on the platform. */
  const readStraight = (canvas: OffscreenCanvas) =>
    (canvas.getContext('2d') as OffscreenCanvasRenderingContext2D).getImageData(0, 0, width, height).data
  return async (canvas) => {
    to = to === source ? source + stride : source
    const result = new Uint8Array(memory.buffer, to, size)
    if (onGpu && !opaque) {
      const straight = readStraight(canvas)
      if (planar) swapColours(straight, pixels)
      else result.set(straight)
    } else {
      await readFrame(canvas)
      if (!planar) straighten(0, to, source, 1)
      else if (!opaque) straighten(0, 0, source, 0)
    }
    if (planar) {
      if (!opaque) alphas(0, to + planes, count)
      convert(0, to, width, height)
    }
    return result
  }
}
