import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture with four bytes per pixel: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes per pixel of each colour type that screenshots use. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

const chunk = (type: string, body: Uint8Array) => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const out = Buffer.alloc(typed.length + 8)
  out.writeUInt32BE(body.length, 0)
  typed.copy(out, 4)
  out.writeUInt32BE(crc32(typed), typed.length + 4)
  return out
}

/** Encodes pixels losslessly as a PNG file. */
export const encodePng = ({ width, height, data }: Pixels): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = Buffer.alloc(height * (width * 4 + 1))
  for (let y = 0; y < height; y += 1)
    rows.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

const paeth = (left: number, up: number, corner: number) => {
  const guess = left + up - corner
  const a = Math.abs(guess - left)
  const b = Math.abs(guess - up)
  const c = Math.abs(guess - corner)
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** Undoes the row filters in place; `step` is the bytes of a pixel. */
const unfilter = (rows: Uint8Array, height: number, stride: number, step: number) => {
  const byteAt = (index: number) => rows[index] as number
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1) + 1
    const filter = byteAt(start - 1)
    if (filter === 0) continue
    for (let x = 0; x < stride; x += 1) {
      const index = start + x
      const above = index - stride - 1
      const left = x < step ? 0 : byteAt(index - step)
      const up = y === 0 ? 0 : byteAt(above)
      const corner = y === 0 || x < step ? 0 : byteAt(above - step)
      let add = 0
      if (filter === 1) add = left
      else if (filter === 2) add = up
      else if (filter === 3) add = (left + up) >> 1
      else if (filter === 4) add = paeth(left, up, corner)
      rows[index] = byteAt(index) + add
    }
  }
}

/** Pixels of a PNG file of 8 bits a channel, not interlaced and without a palette, such as screenshots are. */
export const decodePng = (file: Uint8Array): Pixels => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new Error('these bytes are no PNG file')
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const [depth, colour = 0, , , interlace] = bytes.subarray(24, 29)
  const step = CHANNELS[colour]
  if (depth !== 8 || !step || interlace) throw new Error(`PNG of depth ${depth}, colour type ${colour} is unusual`)
  const parts: Buffer[] = []
  for (let offset = 8; offset < bytes.length; offset += bytes.readUInt32BE(offset) + 12)
    if (bytes.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(bytes.subarray(offset + 8, offset + 8 + bytes.readUInt32BE(offset)))
  const rows = inflateSync(Buffer.concat(parts))
  const stride = width * step
  unfilter(rows, height, stride, step)
  const data = new Uint8Array(width * height * 4)
  const isGrey = step < 3
  const hasAlpha = step % 2 === 0
  let to = 0
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1) + 1
    for (let from = start; from < start + stride; from += step) {
      data[to] = rows[from] as number
      data[to + 1] = rows[isGrey ? from : from + 1] as number
      data[to + 2] = rows[isGrey ? from : from + 2] as number
      data[to + 3] = hasAlpha ? (rows[from + step - 1] as number) : 255
      to += 4
    }
  }
  return { width, height, data }
}
