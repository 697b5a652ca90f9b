import { isVidError } from '@vid/kernel'
import { type Manifest, unpackProject } from '@vid/project'
import type { ProducerSettings } from '../options.ts'
import { createQueue } from '../queue/queue.ts'
import type { Room } from './room.ts'

/** Zips that are unpacked at once; others wait. */
const AT_ONCE = 2

/** Makes the function that unpacks a zip once it is its turn, into as much space as there is. */
export const createUnpacking = (
  room: Room,
  { unpackedBytes, unpackedFiles }: Pick<ProducerSettings, 'unpackedBytes' | 'unpackedFiles'>,
) => {
  const queue = createQueue(AT_ONCE)
  return async (zip: string, folder: string, signal: AbortSignal): Promise<Manifest> => {
    const place = queue.enter(() => {})
    signal.addEventListener('abort', place.leave, { once: true })
    try {
      await place.turn
      const left = room.left()
      const limits = { bytes: Math.min(unpackedBytes, left), entries: unpackedFiles }
      return await unpackProject(zip, folder, { limits, signal }).catch((thrown: unknown) => {
        const isForLackOfRoom = isVidError(thrown) && thrown.code === 'VID_ZIP_BYTES' && limits.bytes < unpackedBytes
        throw isForLackOfRoom ? room.full() : thrown
      })
    } finally {
      signal.removeEventListener('abort', place.leave)
      place.leave()
    }
  }
}
