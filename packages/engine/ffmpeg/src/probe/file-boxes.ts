import type { FileHandle } from 'node:fs/promises'

/** A box of an mp4 or QuickTime file: its type, and where its content is. */
export interface FileBox {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Reads a part of a file, as much as there is. */
export const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Bytes of a header, with and without a length of 64 bits. */
const HEADER = 8
const LONG_HEADER = 16

/** The boxes in a part of a file. */
export async function* boxesInFile(file: FileHandle, { start, end }: Omit<FileBox, 'type'>): AsyncGenerator<FileBox> {
  for (let position = start; position + HEADER <= end; ) {
    const head = await readAt(file, position, LONG_HEADER)
    if (head.length < HEADER) return
    const length = head.readUInt32BE(0)
    const isLong = length === 1 && head.length === LONG_HEADER
    const bytes = isLong ? Number(head.readBigUInt64BE(HEADER)) : length || end - position
    if (bytes < HEADER) return
    const type = head.toString('latin1', 4, HEADER)
    yield { type, start: position + (isLong ? LONG_HEADER : HEADER), end: Math.min(end, position + bytes) }
    position += bytes
  }
}

/** The first box of a type in a part of a file; undefined without one. */
export const findBox = async (
  file: FileHandle,
  parent: Omit<FileBox, 'type'>,
  type: string,
): Promise<FileBox | undefined> => {
  for await (const box of boxesInFile(file, parent)) if (box.type === type) return box
  return undefined
}

/** The box `moov` of a file, wherever it is in it; undefined without one. */
export const findMovie = async (file: FileHandle): Promise<FileBox | undefined> =>
  findBox(file, { start: 0, end: (await file.stat()).size }, 'moov')
