import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Pixels of a picture, four bytes each: red, green, blue, alpha. */
export interface RgbaPixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Bytes per pixel of the colour types of screenshots: true colour without and with alpha. */
const STEPS: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

const paeth = (left: number, up: number, corner: number): number => {
  const a = Math.abs(up - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + up - 2 * corner)
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Undoes the filter of one row of `stride` bytes, in place; `offset` is its first byte, after the filter type. */
const unfilter = (rows: Buffer, offset: number, stride: number, step: number): void => {
  const filter = rows[offset - 1] ?? 0
  const end = offset + stride
  const isFirst = offset === 1
  // One loop for each filter: a picture has millions of bytes.
  const above = offset - stride - 1
  const value = (index: number) => rows[index] as number
  if (filter === 1) for (let x = offset + step; x < end; x++) rows[x] = value(x) + value(x - step)
  else if (filter === 2 && !isFirst)
    for (let x = 0; x < stride; x++) rows[offset + x] = value(offset + x) + value(above + x)
  else if (filter === 3 || filter === 4)
    for (let x = 0; x < stride; x++) {
      const left = x < step ? 0 : value(offset + x - step)
      const up = isFirst ? 0 : value(above + x)
      const corner = isFirst || x < step ? 0 : value(above + x - step)
      rows[offset + x] = value(offset + x) + (filter === 3 ? (left + up) >> 1 : paeth(left, up, corner))
    }
}

const dataOf = (file: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let offset = 8; offset + 12 <= file.length; offset += file.readUInt32BE(offset) + 12)
    if (file.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(file.subarray(offset + 8, offset + 8 + file.readUInt32BE(offset)))
  return inflateSync(Buffer.concat(parts))
}

/** Pixels of a screenshot: a PNG of 8 bits a channel, without palette or interlacing. */
export const decodeScreenshot = (bytes: Uint8Array): RgbaPixels => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = file.readUInt32BE(16)
  const height = file.readUInt32BE(20)
  const step = STEPS[file[25] ?? 0]
  if (file[24] !== 8 || step === undefined || file[28] !== 0)
    throw new TypeError('the picture is no PNG of the kind that screenshots are')
  const rows = dataOf(file)
  const stride = width * step
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    const offset = y * (stride + 1) + 1
    unfilter(rows, offset, stride, step)
    let to = y * width * 4
    if (step === 4) {
      rows.copy(data, to, offset, offset + stride)
      continue
    }
    for (let x = offset; x < offset + stride; x += 3) {
      data[to++] = rows[x] as number
      data[to++] = rows[x + 1] as number
      data[to++] = rows[x + 2] as number
      data[to++] = 255
    }
  }
  return { width, height, data }
}

const chunkOf = (name: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const bytes = Buffer.alloc(body.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  body.copy(bytes, 4)
  bytes.writeUInt32BE(crc32(body), body.length + 4)
  return bytes
}

/** Encodes pixels as a PNG file, with the fastest compression. */
export const encodeFastPng = ({ width, height, data }: RgbaPixels): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const stride = width * 4
  const rows = Buffer.alloc(height * (stride + 1))
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const compressed = deflateSync(rows, { level: 1 })
  return Buffer.concat([
    signature,
    chunkOf('IHDR', header),
    chunkOf('IDAT', compressed),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}
