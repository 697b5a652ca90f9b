import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolveAssetPath } from '../server/asset-path.ts'

/** What tells one content of a file from a later one without reading it. */
export type FileState = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>

const keyOf = (file: string, { size, mtimeMs, ctimeMs, ino }: FileState) =>
  [file, size, mtimeMs, ctimeMs, ino].join('\0')

/** A file that was written this recently may be written again without another time stamp. */
const SETTLED_MS = 2000

/** Digests remembered at most. */
const MOST_KNOWN = 10_000

const known = new Map<string, string>()

const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** SHA-256 (hex) of a file as it was in a state; undefined when it is another file by now, or gone. */
export const digestState = async (file: string, state: FileState): Promise<string | undefined> => {
  const key = keyOf(file, state)
  const found = known.get(key)
  if (found !== undefined) return found
  try {
    const digest = await hashFile(file)
    const now = await stat(file)
    if (keyOf(file, now) !== key) return undefined
    if (known.size >= MOST_KNOWN) known.clear()
    if (Date.now() - Math.max(now.mtimeMs, now.ctimeMs) > SETTLED_MS) known.set(key, digest)
    return digest
  } catch {
    return undefined
  }
}

/** SHA-256 (hex) of a project's file by the path that a page asks for; null when it would not be served. */
export const digestAsset = async (projectDir: string, path: string): Promise<string | null> => {
  const target = `/${path.split('/').map(encodeURIComponent).join('/')}`
  const found = await resolveAssetPath(await realpath(projectDir), target)
  if ('status' in found) return null
  const state = await stat(found.file).catch(() => undefined)
  if (!state?.isFile()) return null
  return (await digestState(found.file, state)) ?? null
}
