import type { RowLayout } from '../../contract/picture-rows.ts'
import type { PixelModule } from '../../contract/pixel-module.ts'
import { createPicturePlanes, type PicturePlanes } from './picture-planes.ts'

/** Reads the pixels of canvases. */
export interface PixelReader {
  /** Reads what a canvas shows, and where it differs from what it showed before. */
  read(canvas: OffscreenCanvas): Promise<ReturnType<PicturePlanes['update']>>
  /** Reads another canvas. */
  readOther(canvas: OffscreenCanvas): Promise<Uint8Array>
}

/** Options of a reader: planar pixels or straight rgba, and whether the canvas has alpha. */
export interface PixelReaderSettings extends RowLayout {
  /** Whether the canvas is on the GPU. */
  readonly onGpu: boolean
  /** The WebAssembly module that converts pixels. */
  readonly module: Uint8Array<ArrayBuffer>
}

/** Writes straight rgba pixels as bgra at `to`. */
const swapColours = (rgba: Uint8ClampedArray, to: Uint8Array) => {
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)
  const words = new Uint32Array(to.buffer, to.byteOffset, from.length)
  for (let index = 0; index < from.length; index++) {
    const word = from[index] as number
    words[index] = (word & 0xff00ff00) | ((word & 0xff) << 16) | ((word >>> 16) & 0xff)
  }
}

/** Creates a reader. */
export const createPixelReader = async (settings: PixelReaderSettings): Promise<PixelReader> => {
  const { width, height, planar, alpha, onGpu, module } = settings
  const { instance } = await WebAssembly.instantiate(module)
  // Whether a frame of a GPU is premultiplied depends on the platform.
  const straight = onGpu && alpha
  const planes = createPicturePlanes(instance.exports as unknown as PixelModule, settings, straight)
  const readFrame = async (canvas: OffscreenCanvas, pixels: Uint8Array<ArrayBuffer>) => {
    const frame = new VideoFrame(canvas, { timestamp: 0, alpha: alpha ? 'keep' : 'discard' })
    try {
      const format = alpha ? 'BGRA' : 'BGRX'
      const layout = [{ offset: 0, stride: width * 4 }]
      if (frame.format === format) await frame.copyTo(pixels, { layout })
      // The order of bytes that a GPU prefers.
      else if (onGpu && frame.format === 'RGBX') await frame.copyTo(pixels, { layout, format })
      else throw new Error(`the canvas holds ${frame.format} pixels`)
    } finally {
      frame.close()
    }
  }
  const fill = async (canvas: OffscreenCanvas): Promise<void> => {
    const pixels = planes.source()
    if (!straight) return readFrame(canvas, pixels)
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
    const { data } = context.getImageData(0, 0, width, height)
    if (planar) swapColours(data, pixels)
    else pixels.set(data)
  }
  return {
    async read(canvas) {
      await fill(canvas)
      return planes.update()
    },
    async readOther(canvas) {
      await fill(canvas)
      return planes.convert()
    },
  }
}
