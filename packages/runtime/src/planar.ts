import { readFileSync } from 'node:fs'

interface PlanarModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convert(from: number, to: number, width: number, height: number): void
  straighten(from: number, to: number, bytes: number, rgba: 0 | 1): void
  alphas(from: number, to: number, pixels: number): void
}

/** Named here because its types come with those of a browser. */
const { instantiate } = (
  globalThis as unknown as {
    WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ instance: { exports: PlanarModule } }> }
  }
).WebAssembly

const readModule = (() => {
  let bytes: Buffer<ArrayBuffer> | undefined
  return () => {
    bytes ??= readFileSync(new URL('../dist/planar.wasm', import.meta.url))
    return bytes
  }
})()

/** The module that makes planar pictures, in base64, as a page is given it. */
export const planarModule = (): string => readModule().toString('base64')

/** Whether a picture of this size can be made planar: whole pairs of rows and columns, at least one step wide. */
export const isPlanarSize = (width: number, height: number): boolean =>
  width % 2 === 0 && height % 2 === 0 && width >= 16 && height >= 2

/**
 * Makes yuv420p (bt709, limited range) of straight rgba pixels, with `alpha` a plane of it after that, bit for bit as
 * the page's worker does.
 */
export const createPlanar = async (
  width: number,
  height: number,
  { alpha = false } = {},
): Promise<(rgba: Uint8Array) => Uint8Array> => {
  const { memory, convert, alphas } = (await instantiate(readModule())).instance.exports
  const pixels = width * height * 4
  const planes = (width * height * 3) / 2
  const size = planes + (alpha ? width * height : 0)
  memory.grow(Math.ceil((pixels + size) / 65536))
  const words = new Uint32Array(memory.buffer, 0, width * height)
  return (rgba) => {
    const from = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
    for (let at = 0; at < words.length; at++) {
      const word = from[at] ?? 0
      words[at] = (word & 0xff00ff00) | ((word & 0xff) << 16) | ((word >>> 16) & 0xff)
    }
    convert(0, pixels, width, height)
    if (alpha) alphas(0, pixels + planes, width * height)
    return new Uint8Array(memory.buffer, pixels, size).slice()
  }
}

/** Makes straight rgba of premultiplied bgra pixels, bit for bit as the page's worker does. */
export const straighten = async (bgra: Uint8Array): Promise<Uint8Array> => {
  const { memory, straighten } = (await instantiate(readModule())).instance.exports
  const bytes = Math.ceil(bgra.length / 16) * 16
  memory.grow(Math.ceil((2 * bytes) / 65536))
  const all = new Uint8Array(memory.buffer)
  all.set(bgra)
  straighten(0, bytes, bytes, 1)
  return all.slice(bytes, bytes + bgra.length)
}
