import { readFileSync } from 'node:fs'
import type { PixelModule } from './contract/pixel-module.ts'

/** Node's own types do not include WebAssembly. */
const { instantiate } = (
  globalThis as unknown as {
    WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ instance: { exports: PixelModule } }> }
  }
).WebAssembly

const readModule = (() => {
  let bytes: Buffer<ArrayBuffer> | undefined
  return () => {
    bytes ??= readFileSync(new URL('../dist/planar.wasm', import.meta.url))
    return bytes
  }
})()

/** The module that converts pixels to planar formats, in base64, for the settings of a page. */
export const planarModule = (): string => readModule().toString('base64')

/** Whether a picture of this size can be planar: even sides, and wide enough for one step of the module. */
export const isPlanarSize = (width: number, height: number): boolean =>
  width % 2 === 0 && height % 2 === 0 && width >= 16 && height >= 2

/**
 * Creates a converter from straight rgba pixels to yuv420p (bt709, limited range), followed by a plane of alpha with
 * `alpha`. The result equals that of the page's worker bit by bit.
 */
export const createPlanar = async (
  width: number,
  height: number,
  { alpha = false } = {},
): Promise<(rgba: Uint8Array) => Uint8Array> => {
  const { memory, convert, alphas } = (await instantiate(readModule())).instance.exports
  const pixels = width * height * 4
  const count = width * height
  const planes = count * 1.5
  const size = planes + (alpha ? count : 0)
  memory.grow(Math.ceil((pixels + size) / 65536))
  const words = new Uint32Array(memory.buffer, 0, count)
  return (rgba) => {
    const from = new Uint32Array(rgba.buffer, rgba.byteOffset, count)
    for (let index = 0; index < words.length; index++) {
      const word = from[index] ?? 0
      words[index] = (word & 0xff00ff00) | ((word & 0xff) << 16) | ((word >>> 16) & 0xff)
    }
    convert(0, pixels, pixels + count, pixels + count * 1.25, width, height)
    if (alpha) alphas(0, pixels + planes, count)
    return new Uint8Array(memory.buffer, pixels, size).slice()
  }
}

/** Converts premultiplied bgra pixels to straight rgba; equals the result of the page's worker bit by bit. */
export const straighten = async (bgra: Uint8Array): Promise<Uint8Array> => {
  const { memory, straighten } = (await instantiate(readModule())).instance.exports
  const bytes = Math.ceil(bgra.length / 16) * 16
  memory.grow(Math.ceil((2 * bytes) / 65536))
  const all = new Uint8Array(memory.buffer)
  all.set(bgra)
  straighten(0, bytes, bytes, 1)
  return all.slice(bytes, bytes + bgra.length)
}
