/** One box of an ISO base media file. */
export interface Box {
  readonly type: string
  /** What is after its length and type. */
  readonly body: Buffer
}

/** Bytes of a box before its body. */
export const HEAD_BYTES = 8

/** The boxes that follow one another in `bytes`. */
export const boxesIn = (bytes: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let offset = 0; offset + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(offset)
    const end = length < HEAD_BYTES ? bytes.length : offset + length
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + HEAD_BYTES),
      body: bytes.subarray(offset + HEAD_BYTES, end),
    })
    offset = end
  }
  return boxes
}

/** The body of the first box at a path of types, such as `['mdia', 'mdhd']`; undefined without one. */
export const bodyAt = (bytes: Buffer, path: readonly string[]): Buffer | undefined => {
  let body: Buffer | undefined = bytes
  for (const type of path) body = body && boxesIn(body).find((box) => box.type === type)?.body
  return body
}

/** A box of a type with a body. */
export const makeBox = (type: string, ...body: readonly Buffer[]): Buffer => {
  const length = body.reduce((sum, part) => sum + part.length, HEAD_BYTES)
  return Buffer.concat([numbers(length), Buffer.from(type, 'latin1'), ...body])
}

/** Unsigned numbers of 32 bits, one after another. */
export const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** An unsigned number of 64 bits. */
export const longNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
