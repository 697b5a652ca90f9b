import { createHash } from 'node:crypto'

/** SHA-256 (hex) of the entry file's bytes, as a plan names its composition. */
export const compositionDigest = (entry: Uint8Array): string =>
  createHash('sha256').update(entry).digest('hex')
