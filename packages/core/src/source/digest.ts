import { createHash } from 'node:crypto'

/** SHA-256 (hex) of what a page is made of, as a plan names its composition: bytes of the entry file, or its compiled text. */
export const compositionDigest = (entry: Uint8Array | string): string =>
  createHash('sha256').update(entry).digest('hex')
