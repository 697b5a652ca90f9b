import { inflateSync } from 'node:zlib'

/** Pixels of a picture, four bytes each: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Bytes a pixel of the colour types that screenshots have: true colour without and with alpha. */
const STEPS: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

const paeth = (left: number, up: number, corner: number): number => {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Undoes the filter of one row of `stride` bytes, in place; `at` is where it begins, after the filter's number. */
const unfilter = (rows: Uint8Array, at: number, stride: number, step: number): void => {
  const filter = rows[at - 1] ?? 0
  const above = at > 1 ? at - stride - 1 : undefined
  const up = (x: number) => (above === undefined ? 0 : (rows[above + x] ?? 0))
  const left = (x: number) => (x < step ? 0 : (rows[at + x - step] ?? 0))
  if (filter === 0 || (filter === 2 && above === undefined)) return
  for (let x = 0; x < stride; x++) {
    const add =
      filter === 1
        ? left(x)
        : filter === 2
          ? up(x)
          : filter === 3
            ? (left(x) + up(x)) >> 1
            : paeth(left(x), up(x), x < step ? 0 : up(x - step))
    rows[at + x] = (rows[at + x] ?? 0) + add
  }
}

const dataOf = (file: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= file.length; at += file.readUInt32BE(at) + 12)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  return inflateSync(Buffer.concat(parts))
}

/** Pixels of a screenshot: a PNG of 8 bits a channel, without palette or interlacing. */
export const decodeScreenshot = (bytes: Uint8Array): Pixels => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const step = STEPS[file[25] ?? 0]
  if (file[24] !== 8 || step === undefined || file[28] !== 0)
    throw new TypeError('the picture is no PNG of the kind that screenshots are')
  const rows = dataOf(file)
  const stride = width * step
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    const at = y * (stride + 1) + 1
    unfilter(rows, at, stride, step)
    let to = y * width * 4
    for (let x = at; x < at + stride; x += step) {
      data[to++] = rows[x] ?? 0
      data[to++] = rows[x + 1] ?? 0
      data[to++] = rows[x + 2] ?? 0
      data[to++] = step === 4 ? (rows[x + 3] ?? 0) : 255
    }
  }
  return { width, height, data }
}
