import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { digestFile, runPool, scratchName } from '@vid/system'
import type { Database } from '../database/database.ts'
import { schemaVersion } from '../database/migrate.ts'
import { fail } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import { type BackupManifest, backupKeys, COPIED_AT_ONCE, openBackupPlace } from './backup-place.ts'
import { neededKeys, readRows } from './rows.ts'

/** The result of a backup. */
export interface BackupFacts {
  /** Location of the backup. */
  readonly place: string
  readonly createdAt: string
  readonly files: number
  readonly bytes: number
  /** Keys of files that rows need but the storage of the server no longer has. */
  readonly missing: readonly string[]
}

/** The database and the storage of a server, which may be running. */
export interface BackupSource {
  readonly database: Database
  readonly storage: Storage
}

const partOf = async (path: string) => ({ bytes: (await stat(path)).size, sha256: await digestFile(path) })

/** Refuses a location that is not empty: two backups in one location would both be unusable. */
const checkEmpty = async (place: Storage): Promise<void> => {
  for await (const { key } of place.list('')) throw fail('VID_CLOUD_BACKUP_PLACE', { place: place.description, key })
}

const copyFiles = async (
  { database, storage }: BackupSource,
  place: Storage,
  { keys, work, signal }: { readonly keys: readonly string[]; readonly work: string; readonly signal: AbortSignal },
) => {
  const list = await open(join(work, 'files'), 'wx', 0o600)
  const missingKeys: string[] = []
  let files = 0
  let total = 0
  try {
    await runPool(keys, COPIED_AT_ONCE, signal, async (key) => {
      const path = join(work, scratchName('file-'))
      if (!(await storage.get(key, path, { signal }))) return void missingKeys.push(key)
      const part = await partOf(path)
      await place.put(backupKeys.file(key), path, { signal })
      await rm(path)
      files += 1
      total += part.bytes
      await list.appendFile(`${JSON.stringify({ key, ...part })}\n`)
    })
  } finally {
    await list.close()
  }
  // A file that was removed after the rows were read is not missing.
  return { files, bytes: total, missing: await neededKeys(database, missingKeys) }
}

/**
 * Backs up a server, which may be running: its rows in one snapshot, then the files that they need, which never change.
 * The manifest is written last; without it the backup is invalid.
 */
export const writeBackup = async (
  source: BackupSource,
  to: string,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<BackupFacts> => {
  const place = await openBackupPlace(to, cwd)
  const work = await mkdtemp(join(tmpdir(), 'vid-backup-'))
  try {
    await checkEmpty(place)
    const createdAt = new Date().toISOString()
    const rows = join(work, 'rows')
    const keys = await readRows(source.database, (lines) =>
      pipeline(Readable.from(lines), createWriteStream(rows, { mode: 0o600 }), { signal }),
    )
    await place.put(backupKeys.rows, rows, { signal })
    const copied = await copyFiles(source, place, { keys, work, signal })
    await place.put(backupKeys.files, join(work, 'files'), { signal })
    const manifest: BackupManifest = {
      format: 'vid-cloud-backup-1',
      createdAt,
      schemaVersion: await schemaVersion(source.database),
      rows: await partOf(rows),
      files: await partOf(join(work, 'files')),
    }
    const file = join(work, 'manifest')
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`).finally(() => handle.close())
    await place.put(backupKeys.manifest, file, { signal })
    return { place: place.description, createdAt, ...copied }
  } finally {
    await rm(work, { recursive: true, force: true })
    await place.close()
  }
}
