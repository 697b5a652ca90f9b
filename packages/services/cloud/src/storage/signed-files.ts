import { isBlobKey } from '@vid/system'
import { isSignedWith, signatureOf } from './signature.ts'
import type { FileAddress } from './storage.ts'

/** Path of the folder's files on the server. */
export const FILES_PATH = '/v3/files'

/** The file of a signed address. */
interface SignedFile {
  readonly key: string
  readonly type: string
  readonly fileName: string | undefined
}

/** Signs and checks addresses of files that the server itself serves. */
export const createSignedFiles = (secret: string, publicUrl: () => string) => ({
  addressOf(key: string, { expiresMs, fileName = '', type }: FileAddress): string {
    const expires = String(Math.floor(expiresMs / 1000))
    const signature = signatureOf(secret, [key, expires, fileName, type]).toString('base64url')
    const query = new URLSearchParams({ expires, type, ...(fileName && { name: fileName }), signature })
    return `${publicUrl()}${FILES_PATH}/${key}?${query}`
  },
  /** Returns the file of an address; undefined if the signature is invalid or has expired. */
  check(key: string, query: Readonly<Record<string, string | undefined>>, nowMs: number): SignedFile | undefined {
    const { expires = '', type = '', name = '', signature = '' } = query
    const isSigned = isSignedWith(secret, [key, expires, name, type], signature)
    if (!isSigned || !isBlobKey(key) || !(Number(expires) * 1000 > nowMs)) return undefined
    return { key, type, fileName: name === '' ? undefined : name }
  },
})

/** Signs and checks addresses of files that the server itself serves. */
export type SignedFiles = ReturnType<typeof createSignedFiles>
