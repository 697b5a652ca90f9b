import type { StoredObject } from '../storage/storage.ts'
import type { WorkParts } from '../worker/parts.ts'
import { SEGMENTS } from '../worker/storage-keys.ts'
import type { SweepSettings } from './settings.ts'

/** Removes the finished segments that were used longest ago, until the others are within the limit. */
export const limitSegments = async (
  { storage }: Pick<WorkParts, 'storage'>,
  { segmentBytes }: Pick<SweepSettings, 'segmentBytes'>,
): Promise<number> => {
  const found: StoredObject[] = []
  for await (const each of storage.list(SEGMENTS)) found.push(each)
  let bytes = found.reduce((sum, each) => sum + each.bytes, 0)
  const removed: string[] = []
  for (const each of found.toSorted((a, b) => a.writtenMs - b.writtenMs)) {
    if (bytes <= segmentBytes) break
    bytes -= each.bytes
    removed.push(each.key)
  }
  if (removed.length > 0) await storage.remove(removed)
  return removed.length
}
