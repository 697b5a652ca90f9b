/** The file that receives pixels, in slots of one frame each. */
export interface SlotFile {
  /** Writes parts of a picture to the beginning of a slot, one after the other; throws when the disk is full. */
  write(slot: number, parts: readonly Uint8Array[]): void
}

interface SyncFile {
  truncate(bytes: number): void
  write(bytes: Uint8Array, options: { at: number }): number
}

/** Opens the file `mark` in the browser's private storage; it begins with that text until slot 0 is written. */
export const openSlotFile = async (mark: string, slots: number, slotBytes: number): Promise<SlotFile> => {
  const folder = await navigator.storage.getDirectory()
  const handle = await folder.getFileHandle(mark, { create: true })
  const file = await (handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }).createSyncAccessHandle()
  file.truncate(slotBytes * slots)
  file.write(new TextEncoder().encode(mark), { at: 0 })
  return {
    write(slot, parts) {
      let offset = slot * slotBytes
      for (const part of parts) {
        const bytes = file.write(part, { at: offset })
        if (bytes !== part.length) throw new Error(`only ${bytes} of ${part.length} bytes fit into the pixel file`)
        offset += bytes
      }
    },
  }
}
