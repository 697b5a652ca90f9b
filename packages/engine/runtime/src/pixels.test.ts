import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import wabt from 'wabt'

interface PixelsModule {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  set(black: number, y: number, rv: number, gu: number, gv: number, bu: number): void
  convert(from: number, to: number, width: number, height: number): void
}
const { instantiate } = (
  globalThis as unknown as {
    WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ instance: { exports: PixelsModule } }> }
  }
).WebAssembly

const open = async () => {
  const text = readFileSync(new URL('./pixels.wat', import.meta.url), 'utf8')
  const { buffer } = (await wabt()).parseWat('pixels.wat', text, { simd: true }).toBinary({})
  return (await instantiate(buffer)).instance.exports
}

const MATRICES = {
  bt709: [0.2126, 0.0722],
  bt601: [0.299, 0.114],
} as const

test.each([
  ['bt709', false],
  ['bt601', false],
  ['bt709', true],
  ['bt601', true],
] as const)('%s pictures become the nearest pixels, full range %s', async (name, full) => {
  const { memory, set, convert } = await open()
  const width = 256
  const height = 19
  const lumas = width * height
  const chromas = (width / 2) * Math.ceil(height / 2)
  const to = Math.ceil((lumas + 2 * chromas) / 16) * 16
  memory.grow(Math.ceil((to + lumas * 4) / 65536))
  const bytes = new Uint8Array(memory.buffer)
  let state = 3
  for (let index = 0; index < to; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[index] = state >>> 24
  }
  const [red, blue] = MATRICES[name]
  const [y, c] = full ? [1, 1] : [255 / 219, 255 / 224]
  const rv = 2 * (1 - red) * c
  const bu = 2 * (1 - blue) * c
  const green = 1 - red - blue
  const gu = (-bu * blue) / green
  const gv = (-rv * red) / green
  const unit = (share: number) => Math.round(share * 8192)
  set(full ? 0 : 16, unit(y), unit(rv), unit(gu), unit(gv), unit(bu))
  convert(0, to, width, height)
  let worst = 0
  for (let index = 0; index < lumas; index++) {
    const chroma = lumas + Math.floor(Math.floor(index / width) / 2) * (width / 2) + ((index % width) >> 1)
    const light = y * ((bytes[index] ?? 0) - (full ? 0 : 16))
    const u = (bytes[chroma] ?? 0) - 128
    const v = (bytes[chroma + chromas] ?? 0) - 128
    const exact = [light + rv * v, light + gu * u + gv * v, light + bu * u]
    for (const [channel, value] of exact.entries()) {
      const clamped = Math.min(255, Math.max(0, value))
      worst = Math.max(worst, Math.abs(clamped - (bytes[to + index * 4 + channel] ?? 0)))
    }
    expect(bytes[to + index * 4 + 3]).toBe(255)
  }
  // Half a step is the rounding; the rest is what coefficients of 13 bits leave out.
  expect(worst).toBeLessThan(0.53)
})
