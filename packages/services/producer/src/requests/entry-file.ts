import { refusedPath } from '@vid/protocol'
import { fail } from '../errors.ts'

/** Longest path of an entry file, in bytes. */
const MAX_BYTES = 512

/** Checks the path of the entry file; fails if it cannot be a file in a project. */
export const checkEntryFile = (entry = 'index.html'): string => {
  const names = entry.split('/')
  const isPlain = names.every((name) => name !== '' && name !== '..' && Buffer.byteLength(name) <= 255)
  if (!isPlain || refusedPath(entry) !== null || Buffer.byteLength(entry) > MAX_BYTES)
    throw fail('VID_PRODUCER_ENTRY', { entry })
  return entry
}
