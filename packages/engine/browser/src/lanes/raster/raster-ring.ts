import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Slots of the ring: one being read, those requested ahead, and a spare one. */
export const RING_SLOTS = 6

/** The file that a page's worker writes raw pixels into. */
export interface RasterRing {
  /** Fills the parts of a picture with the first bytes of a slot, one after the other. */
  read(slot: number, parts: readonly Uint8Array[]): Promise<void>
  /** Closes and removes the file, which frees its memory. */
  close(): Promise<void>
}

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const beginsWith = async (path: string, mark: string): Promise<boolean> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0)
  return buffer.toString('latin1', 0, bytesRead) === mark
}

/** Opens the ring that a page has created in its browser's profile; undefined if it does not exist. */
export const openRing = async (profile: string, mark: string, slotBytes: number): Promise<RasterRing | undefined> => {
  const find = async (): Promise<string | undefined> => {
    for (const path of await filesBelow(join(profile, 'Default', 'File System')).catch(() => [])) {
      const facts = await stat(path).catch(() => undefined)
      if (facts?.size === slotBytes * RING_SLOTS && (await beginsWith(path, mark))) return path
    }
    return undefined
  }
  const path = await find()
  if (path === undefined) return undefined
  const file: FileHandle = await open(path)
  return {
    async read(slot, parts) {
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      const { bytesRead } = await file.readv(parts, slot * slotBytes)
      if (bytesRead !== length) throw new Error(`the ring gave ${bytesRead} of ${length} bytes`)
    },
    async close() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}
