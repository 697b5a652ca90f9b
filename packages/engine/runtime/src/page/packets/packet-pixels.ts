import type { PacketConfig } from '../../contract/packets.ts'
import type { PacketPicture } from './packet-jobs.ts'

/** The module `pixels.wat`, in base64. */
declare const __VID_PIXELS__: string

interface PixelsModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  set(black: number, y: number, rv: number, gu: number, gv: number, bu: number): void
  convert(from: number, to: number, width: number, height: number): void
}

/** Converts decoded pictures to RGBA itself, since browsers are up to eight steps off in blue. */
export interface PacketPixels {
  /** Rejects when the picture is not planar yuv420p. */
  convert(frame: VideoFrame, config: PacketConfig): Promise<PacketPicture>
  /** Takes a buffer back, to be used again. */
  recycle(pixels: ArrayBuffer): void
}

/** Pixels that the module converts at once. */
const STEP = 16

/** Buffers that are kept for the next pictures. */
const MAX_FREE = 4

/** Coefficients of a matrix and range for the module. */
const coefficients = ({ matrix, fullRange }: PacketConfig): Parameters<PixelsModule['set']> => {
  const [red, blue] = matrix === 'bt709' ? [0.2126, 0.0722] : [0.299, 0.114]
  const green = 1 - red - blue
  const [luma, chroma] = fullRange ? [1, 1] : [255 / 219, 255 / 224]
  const rv = 2 * (1 - red) * chroma
  const bu = 2 * (1 - blue) * chroma
  const unit = (share: number) => Math.round(share * 8192)
  const black = fullRange ? 0 : 16
  return [black, unit(luma), unit(rv), unit((-bu * blue) / green), unit((-rv * red) / green), unit(bu)]
}

/** Opens the module; rejects if a policy of the page forbids it. */
export const openPixels = async (): Promise<PacketPixels> => {
  const bytes = Uint8Array.from(atob(__VID_PIXELS__), (character) => character.charCodeAt(0))
  const { instance } = await WebAssembly.instantiate(bytes)
  const { memory, set, convert: convertYuv } = instance.exports as unknown as PixelsModule
  const free: ArrayBuffer[] = []
  return {
    recycle: (pixels) => void (free.length < MAX_FREE && free.push(pixels)),
    async convert(frame, config) {
      const { format, visibleRect } = frame
      if (format !== 'I420' || !visibleRect)
        throw new Error(`a decoded picture has the format ${String(format)}, not I420`)
      const { width, height } = visibleRect
      const stride = Math.ceil(width / STEP) * STEP
      const lumas = stride * height
      const chromas = (stride / 2) * Math.ceil(height / 2)
      const to = Math.ceil((lumas + 2 * chromas) / STEP) * STEP
      const missing = to + lumas * 4 - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / 65536))
      await frame.copyTo(new Uint8Array(memory.buffer, 0, to), {
        layout: [
          { offset: 0, stride },
          { offset: lumas, stride: stride / 2 },
          { offset: lumas + chromas, stride: stride / 2 },
        ],
      })
      set(...coefficients(config))
      convertYuv(0, to, stride, height)
      const index = free.findIndex(({ byteLength }) => byteLength === lumas * 4)
      const [pixels = new ArrayBuffer(lumas * 4)] = index < 0 ? [] : free.splice(index, 1)
      new Uint8Array(pixels).set(new Uint8Array(memory.buffer, to, lumas * 4))
      return { pixels, stride, width, height }
    },
  }
}
