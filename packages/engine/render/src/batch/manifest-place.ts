import { lstat, readFile } from 'node:fs/promises'
import { parseJson } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isSameFile } from '../outputs/identity.ts'

const MAX_BYTES = 256 * 1024 * 1024

const isManifest = (text: string): boolean => {
  const { version, manifestPath, rows } = (parseJson(text) ?? {}) as Record<string, unknown>
  return version === 1 && typeof manifestPath === 'string' && Array.isArray(rows)
}

/** Refuses to replace what is at the path of the manifest unless an earlier batch wrote it; never what the batch reads. */
export const checkManifestPlace = async (
  manifestPath: string,
  { inputs, force }: { readonly inputs: readonly string[]; readonly force: boolean },
): Promise<void> => {
  const found = await lstat(manifestPath).catch(() => undefined)
  if (!found) return
  for (const input of inputs)
    if (await isSameFile(input, manifestPath)) throw fail('VID_OUTPUT_INPUT', { path: manifestPath })
  const foreign = (what: string) => fail('VID_MANIFEST_FOREIGN', { path: manifestPath, found: what })
  if (!found.isFile() && !found.isSymbolicLink()) throw foreign('not a file')
  if (force) return
  if (found.isSymbolicLink()) throw foreign('a link')
  if (found.size > MAX_BYTES) throw foreign('no manifest of a batch')
  if (found.size > 0 && !isManifest(await readFile(manifestPath, 'utf8').catch(() => '')))
    throw foreign('no manifest of a batch')
}
