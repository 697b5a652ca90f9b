import type { PacketConfig } from '../../contract.ts'
import type { PacketPicture } from './packet-jobs.ts'

/** The module `pixels.wat`, in base64. */
declare const __VID_PIXELS__: string

interface PixelsModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  set(black: number, y: number, rv: number, gu: number, gv: number, bu: number): void
  convert(from: number, to: number, width: number, height: number): void
}

/** Makes pixels of decoded pictures, by arithmetic of its own: that of browsers is up to eight steps off in blue. */
export interface PacketPixels {
  /** Rejects when the picture is not planar yuv420p. */
  make(frame: VideoFrame, config: PacketConfig): Promise<PacketPicture>
  /** Takes pixels back, to be used again. */
  reuse(pixels: ArrayBuffer): void
}

/** Pixels in a row that the module converts as a whole. */
const STEP = 16

/** Places for pixels that are kept for the next pictures. */
const MOST_FREE = 4

/** Coefficients of a matrix and range as the module takes them. */
const coefficients = ({ matrix, fullRange }: PacketConfig): Parameters<PixelsModule['set']> => {
  const [red, blue] = matrix === 'bt709' ? [0.2126, 0.0722] : [0.299, 0.114]
  const green = 1 - red - blue
  const [luma, chroma] = fullRange ? [1, 1] : [255 / 219, 255 / 224]
  const [rv, bu] = [2 * (1 - red) * chroma, 2 * (1 - blue) * chroma]
  const unit = (share: number) => Math.round(share * 8192)
  const black = fullRange ? 0 : 16
  return [black, unit(luma), unit(rv), unit((-bu * blue) / green), unit((-rv * red) / green), unit(bu)]
}

/** Opens the module; rejects where a policy of the page forbids it. */
export const openPixels = async (): Promise<PacketPixels> => {
  const bytes = Uint8Array.from(atob(__VID_PIXELS__), (each) => each.charCodeAt(0))
  const { instance } = await WebAssembly.instantiate(bytes)
  const { memory, set, convert } = instance.exports as unknown as PixelsModule
  const free: ArrayBuffer[] = []
  return {
    reuse: (pixels) => void (free.length < MOST_FREE && free.push(pixels)),
    async make(frame, config) {
      const { format, visibleRect } = frame
      if (format !== 'I420' || !visibleRect) throw new Error(`a picture is ${String(format)}`)
      const { width, height } = visibleRect
      const wide = Math.ceil(width / STEP) * STEP
      const [lumas, chromas] = [wide * height, (wide / 2) * Math.ceil(height / 2)]
      const to = Math.ceil((lumas + 2 * chromas) / STEP) * STEP
      const missing = to + lumas * 4 - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / 65536))
      await frame.copyTo(new Uint8Array(memory.buffer, 0, to), {
        layout: [
          { offset: 0, stride: wide },
          { offset: lumas, stride: wide / 2 },
          { offset: lumas + chromas, stride: wide / 2 },
        ],
      })
      set(...coefficients(config))
      convert(0, to, wide, height)
      const found = free.findIndex(({ byteLength }) => byteLength === lumas * 4)
      const [place = new ArrayBuffer(lumas * 4)] = found < 0 ? [] : free.splice(found, 1)
      new Uint8Array(place).set(new Uint8Array(memory.buffer, to, lumas * 4))
      return { pixels: place, wide, width, height }
    },
  }
}
