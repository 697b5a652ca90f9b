import { createHash } from 'node:crypto'

/** SHA-256 (hex) of a text or of bytes. */
export const digestOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
