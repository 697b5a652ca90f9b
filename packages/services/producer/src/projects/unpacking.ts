import { type ProjectManifest, unpackProject } from '@vid/project'
import { isVidError } from '@vid/protocol'
import type { UploadSpace } from '@vid/server'
import { createSemaphore } from '@vid/system'
import type { ProducerSettings } from '../options.ts'

/** Zips unpacked at the same time; others wait. */
const AT_ONCE = 2

/** Creates the function that unpacks a zip within the free slots and disk space. */
export const createUnpacking = (
  room: UploadSpace,
  { unpackedBytes, unpackedFiles }: Pick<ProducerSettings, 'unpackedBytes' | 'unpackedFiles'>,
) => {
  const slots = createSemaphore(AT_ONCE)
  return (zip: string, folder: string, signal: AbortSignal): Promise<ProjectManifest> =>
    slots.run(async () => {
      const leftBytes = room.left()
      const limits = { bytes: Math.min(unpackedBytes, leftBytes), entries: unpackedFiles }
      return await unpackProject(zip, folder, { limits, signal }).catch((thrown: unknown) => {
        const isForLackOfRoom = isVidError(thrown) && thrown.code === 'VID_ZIP_BYTES' && limits.bytes < unpackedBytes
        throw isForLackOfRoom ? room.full() : thrown
      })
    }, signal)
}
