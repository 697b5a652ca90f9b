import { exists, listObjects, removeObjects, type S3Bucket } from '@vid/s3'
import { renderKeys } from '../contract/object-keys.ts'

/** Removes the work objects of an ended render; its result, the records of its calls and of what players see stay. */
export const removeWork = async (place: S3Bucket, renderId: string): Promise<void> => {
  const { folder, calls, ...keys } = renderKeys(renderId)
  const lasting = [keys.result, keys.failure, keys.stream]
  const removed: string[] = []
  for await (const { key } of listObjects(place, folder))
    if (!key.startsWith(calls) && !lasting.includes(key)) removed.push(key)
  await removeObjects(place, removed)
}

/**
 * Runs a call of a render, and removes its work objects if the render was abandoned in the meantime: calls continue
 * after another call of the render has failed, and nobody else would remove what they store afterwards.
 */
export const removingLateWork = async <T>(place: S3Bucket, renderId: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    const isGivenUp = await exists(place, renderKeys(renderId).failure).catch(() => false)
    if (isGivenUp) await removeWork(place, renderId).catch(() => {})
  }
}
