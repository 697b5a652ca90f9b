import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** SHA-256 (hex) of a text or of bytes. */
export const digestOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** SHA-256 (hex) of a file's bytes. */
export const digestFile = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) }))
    hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** SHA-256 (hex) of a folder: of the lines that `sha256sum *` prints there, made from the digest of each file by its name. */
export const digestFolder = (digests: ReadonlyMap<string, string>): string => {
  const hash = createHash('sha256')
  for (const name of [...digests.keys()].sort()) hash.update(`${digests.get(name)}  ${name}\n`)
  return hash.digest('hex')
}
