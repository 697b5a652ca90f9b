// SHA-256 where there is no Node, as what compiles a composition calls it.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Digests one text or some bytes. */
export const createHash = (_algorithm: 'sha256') => ({
  update: (data: string | Uint8Array) => ({
    digest: (_encoding: 'hex') => bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data)),
  }),
})
