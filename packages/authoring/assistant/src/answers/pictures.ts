import { open, stat } from 'node:fs/promises'
import { allowedPath } from '../roots/allowed-path.ts'
import type { Roots } from '../roots/roots.ts'

/** Pixels of the longer side above which assistants make a picture smaller, and bytes above which they refuse it. */
const MAX_SIDE = 1568
const MAX_BYTES = 2 * 1024 ** 2

/** A picture of an answer. */
export interface AnswerPicture {
  readonly base64: string
  readonly width: number
  readonly height: number
}

const SIGNATURE = '89504e470d0a1a0a'
const HEADER_BYTES = 24

/** A PNG, or why it is not shown. */
const readPicture = async (path: string): Promise<AnswerPicture | string> => {
  const { size } = await stat(path)
  const handle = await open(path)
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(HEADER_BYTES) })
    if (buffer.subarray(0, 8).toString('hex') !== SIGNATURE) return 'it is no PNG'
    const width = buffer.readUInt32BE(16)
    const height = buffer.readUInt32BE(20)
    if (Math.max(width, height) > MAX_SIDE)
      return `it has ${width}x${height} pixels; pictures of at most ${MAX_SIDE} on each side are shown`
    if (size > MAX_BYTES) return `it has ${size} bytes; at most ${MAX_BYTES} are shown`
    const bytes = Buffer.alloc(size)
    await handle.read(bytes, 0, size, 0)
    return { base64: bytes.toString('base64'), width, height }
  } finally {
    await handle.close()
  }
}

/** The first `count` pictures of some paths, and a line for each other one. */
export const readPictures = async (
  paths: readonly string[],
  count: number,
  roots: Roots,
): Promise<{ readonly pictures: readonly AnswerPicture[]; readonly notes: readonly string[] }> => {
  const pictures: AnswerPicture[] = []
  const notes: string[] = []
  for (const path of paths) {
    if (pictures.length >= count) {
      notes.push(`not shown: ${path}`)
      continue
    }
    const picture = await readPicture(await allowedPath(path, roots))
    if (typeof picture === 'string') notes.push(`not shown: ${path}, ${picture}`)
    else pictures.push(picture)
  }
  return { pictures, notes }
}
