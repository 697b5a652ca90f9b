import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, schemaProblems, Type } from '@vid/protocol'
import { digestFile, writeWhole } from '@vid/system'

/** The name of the record of a folder's files. */
export const MANIFEST = 'manifest.json'

const FileSchema = Type.Object({
  /** SHA-256 of its bytes. */
  digest: Type.String(),
  mode: Type.Number(),
  /** Inode, size and times: while they are unchanged, so are the bytes. */
  identity: Type.String(),
})
const ManifestSchema = Type.Object({
  version: Type.String(),
  files: Type.Record(Type.String(), FileSchema),
})

/** Written last, as proof that a folder is complete: its browser's version, and each file by its path in the folder. */
export type UnpackedManifest = Static<typeof ManifestSchema>
type FileRecord = Static<typeof FileSchema>

/** The metadata of a file. */
const factsOf = async (path: string) => {
  const facts = await lstat(path, { bigint: true })
  if (!facts.isFile()) throw new Error(`${path} is not a file`)
  const { ino, size, mtimeNs, ctimeNs } = facts
  return { mode: Number(facts.mode & 0o777n), identity: [ino, size, mtimeNs, ctimeNs].join(' ') }
}

const recordOf = async (path: string): Promise<FileRecord> => ({
  ...(await factsOf(path)),
  digest: await digestFile(path),
})

/** Records the files of a complete folder. */
export const writeManifest = async (folder: string, version: string): Promise<UnpackedManifest> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: Record<string, FileRecord> = {}
  for (const path of paths) files[path.slice(folder.length + 1)] = await recordOf(path)
  const manifest: UnpackedManifest = { version, files }
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))
  return manifest
}

/** The file as it is now; undefined when it is not the recorded one. */
const checkFile = async (path: string, record: FileRecord, thorough: boolean): Promise<FileRecord | undefined> => {
  const { mode, identity } = await factsOf(path)
  if (identity === record.identity && !thorough) return record
  if (mode !== record.mode || (await digestFile(path)) !== record.digest) return undefined
  return { ...record, identity }
}

/**
 * Reads the manifest of a folder; undefined when the folder is not complete and unchanged. Bytes are read only of files
 * that were copied or touched since, or of all files in a thorough check.
 */
export const readUnpackedManifest = async (folder: string, thorough = false): Promise<UnpackedManifest | undefined> => {
  try {
    const path = join(folder, MANIFEST)
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (schemaProblems(ManifestSchema, manifest).length > 0) return undefined
    const { version, files } = manifest as UnpackedManifest
    const now: Record<string, FileRecord> = {}
    for (const [file, record] of Object.entries(files)) {
      const checked = await checkFile(join(folder, file), record, thorough)
      if (checked === undefined) return undefined
      now[file] = checked
    }
    if (Object.entries(now).some(([file, { identity }]) => identity !== files[file]?.identity)) {
      const text = JSON.stringify({ version, files: now })
      // In a folder that cannot be written, the bytes are read again next time.
      await writeWhole(path, (partial) => writeFile(partial, text)).catch(() => {})
    }
    return { version, files: now }
  } catch {
    // A missing, incomplete or unreadable folder is simply unpacked again.
    return undefined
  }
}
