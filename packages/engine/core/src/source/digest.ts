import { createHash } from 'node:crypto'

/** SHA-256 (hex) that identifies a composition in a plan: of the entry file's bytes, or of its compiled text. */
export const compositionDigest = (entry: Uint8Array | string): string =>
  // Not that of the base package: the player packs this file, and has a hash for it.
  createHash('sha256').update(entry).digest('hex')
