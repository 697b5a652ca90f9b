import type { StoredBlob } from '@vid/kernel'
import type { WorkParts } from '../worker/parts.ts'
import { SEGMENTS } from '../worker/storage-keys.ts'
import type { SweepSettings } from './settings.ts'

/** Removes the least recently used segments until the rest fit the limit. */
export const limitSegments = async (
  { storage }: Pick<WorkParts, 'storage'>,
  { segmentBytes }: Pick<SweepSettings, 'segmentBytes'>,
): Promise<number> => {
  const segments: StoredBlob[] = []
  for await (const segment of storage.list(SEGMENTS)) segments.push(segment)
  let total = segments.reduce((sum, { bytes }) => sum + bytes, 0)
  const removed: string[] = []
  for (const { key, bytes } of segments.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (total <= segmentBytes) break
    total -= bytes
    removed.push(key)
  }
  if (removed.length > 0) await storage.remove(removed)
  return removed.length
}
