import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { digestFile } from '@vid/system'
import { resolveAssetPath } from '../asset-path.ts'

/** What shows, without reading a file, that its content has changed. */
export type FileState = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>

const keyOf = (file: string, { size, mtimeMs, ctimeMs, ino }: FileState) =>
  [file, size, mtimeMs, ctimeMs, ino].join('\0')

/** A file that was written this recently may be written again without another time stamp. */
const SETTLED_MS = 2000

/** Digests remembered at most. */
const MAX_REMEMBERED = 10_000

/** By file and state. The process owns them: what a file's bytes are depends on no render. */
const digests = new Map<string, string>()

/** SHA-256 (hex) of a file in a given state; undefined if it has changed or been removed since. */
export const digestState = async (file: string, state: FileState): Promise<string | undefined> => {
  const key = keyOf(file, state)
  const entry = digests.get(key)
  if (entry !== undefined) return entry
  try {
    const digest = await digestFile(file)
    const facts = await stat(file)
    if (keyOf(file, facts) !== key) return undefined
    if (digests.size >= MAX_REMEMBERED) digests.clear()
    if (Date.now() - Math.max(facts.mtimeMs, facts.ctimeMs) > SETTLED_MS) digests.set(key, digest)
    return digest
  } catch {
    return undefined
  }
}

/** SHA-256 (hex) of the project file that a page gets for a path; null when the server would refuse it. */
export const digestAsset = async (projectDir: string, path: string): Promise<string | null> => {
  const target = `/${path.split('/').map(encodeURIComponent).join('/')}`
  const asset = await resolveAssetPath(await realpath(projectDir), target)
  if ('status' in asset) return null
  const state = await stat(asset.file).catch(() => undefined)
  if (!state?.isFile()) return null
  return (await digestState(asset.file, state)) ?? null
}
